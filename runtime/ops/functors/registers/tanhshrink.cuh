// x - tanh(x) by registers, as x times x^2 in two words and a function in 16 pieces.
#if JITLAB_REGISTERS
namespace lanes {
// <table tanhshrink float>
alignas(64) static const unsigned tanhshrink_float[10][16] = {
  {
    0x3f3ebcb0u, 0x3fa028f6u, 0x3fe1205cu, 0x4010323fu, 0x403f1157u, 0x408020c5u, 0x40a07d11u, 0x40bf6ae8u,
    0x40f015d8u, 0x4117f9b8u, 0x41381435u, 0x415772d3u, 0x418451a6u, 0x41a3ccaau, 0x3dfdb22du, 0x3ebee979u
  },
  {
    0x3e8bb8b9u, 0x3e527471u, 0x3e19a9ceu, 0x3de44a31u, 0x3d9934b2u, 0x3d3fb90bu, 0x3d026092u, 0x3cbeab71u,
    0x3c7c44f6u, 0x3c227ae4u, 0x3be20afdu, 0x3ba74c3au, 0x3b6113b8u, 0x3b14b139u, 0x3ea9a026u, 0x3ea1ae4au
  },
  {
    0xbe07aab5u, 0xbe0022dcu, 0xbdbdeb9bu, 0xbd84a50eu, 0xbd1b88f5u, 0xbc9fd996u, 0xbc3618d9u, 0xbbe56932u,
    0xbb784f08u, 0xbb00cbcdu, 0xba95b2d6u, 0xba3ed01bu, 0xb9d2b992u, 0xb9626c3du, 0xbd05a3aau, 0xbdb68538u
  },
  {
    0xbcc23b31u, 0x3ce0a537u, 0x3d033773u, 0x3cc5161bu, 0x3c5ada0fu, 0x3bc0bd4cu, 0x3b3afdd1u, 0x3acc7534u,
    0x3a360960u, 0x39988b5cu, 0x3914564au, 0x38a2f0a2u, 0x3813cd6au, 0x378134a6u, 0xbe0385feu, 0xbdc09948u
  },
  {
    0x3d62cdc5u, 0x3c630cd6u, 0xbb72ab25u, 0xbbbffc63u, 0xbb72b6b5u, 0xbac46e18u, 0xba264d3fu, 0xb99f77cfu,
    0xb8eb4b59u, 0xb81fe20eu, 0xb7824b60u, 0xb6f6e316u, 0xb6381501u, 0xb582faadu, 0x3cd45edau, 0x3d79dfdfu
  },
  {
    0xbc9faf87u, 0xbc7c770bu, 0xbb5fcc4fu, 0x39a6d176u, 0x3a4b3d54u, 0x39ae9d32u, 0x3905f0cau, 0x3864a09cu,
    0x378d25f2u, 0x369c4cb5u, 0x35d5ece3u, 0x352efcb5u, 0x3456aa6bu, 0x3378c399u, 0x3d4905d8u, 0x3c9817e7u
  },
  {
    0xbc0eb418u, 0x3bc8fafeu, 0x3b397a1fu, 0x3a1a178cu, 0xb8ab71a4u, 0xb88520c7u, 0xb7c588d1u, 0xb7195686u,
    0xb6208b94u, 0xb511cacau, 0xb427fec5u, 0xb36d935au, 0xb26fe4ddu, 0xb1628fb2u, 0xbc7b42cau, 0xbceb3235u
  },
  {
    0x3c2fdc39u, 0x3782a483u, 0xba9a5136u, 0xb9ce7654u, 0xb7d653a4u, 0x371f260au, 0x368441b8u, 0x35c14ec4u,
    0x34aeee6du, 0x3383538fu, 0x327f894du, 0x319c70aeu, 0x30821c3cu, 0x2f4881d7u, 0xbc955cb5u, 0x3a8f79b1u
  },
  {
    0xbb0ec6afu, 0xbacbcd8cu, 0x396c036eu, 0x39257c12u, 0x37b7bd27u, 0xb52080ceu, 0xb51bf40bu, 0xb4658f7bu,
    0xb33ce608u, 0xb1eb0e4bu, 0xb0c0abe9u, 0xafcb9e18u, 0xae8ef875u, 0xad318cffu, 0x3c010e41u, 0x3c2dc50cu
  },
  {
    0xbb173d07u, 0x3a74d5d3u, 0x389ace6fu, 0xb82de88fu, 0xb70fbccfu, 0xb487e9d2u, 0x33906a40u, 0x32f3ce59u,
    0x31bdf6c6u, 0x30480820u, 0x2f0c615bu, 0x2dfb87b4u, 0x2c981d3au, 0x2b158c1fu, 0x3bd317e0u, 0xbb6318aau
  }
};
// </table>
// <table tanhshrink double>
alignas(64) static const unsigned long long tanhshrink_double[17][16] = {
  {
    0x3fe8249747682cc8ull, 0x3ff3ecf41f212d77ull, 0x3ffc06c226809d49ull, 0x40021265da970180ull,
    0x4007e36571bb75d4ull, 0x400fed288ce703b0ull, 0x40140d72d3149dd5ull, 0x401806508dfea27aull,
    0x401e10ee1d37d796ull, 0x40230e5604189375ull, 0x40270eb622adf187ull, 0x402af6d1712fa66full,
    0x40307078263ab597ull, 0x40348057619f0fb4ull, 0x3fc04c756b2dbd19ull, 0x3fd7df187080e331ull
  },
  {
    0x3fd162a704c664d6ull, 0x3fca66c751955bc9ull, 0x3fc34b019b06d042ull, 0x3fbc7037270f9b99ull,
    0x3fb325181798dd98ull, 0x3fa81906a45753f6ull, 0x3fa04f2e5d8d0f63ull, 0x3f97a8f3be7527f0ull,
    0x3f8f6d24d4a35610ull, 0x3f8431103f3fe5adull, 0x3f7c24f46b07279bull, 0x3f74dcee707529a0ull,
    0x3f6c77f530f683c0ull, 0x3f628a386688ca95ull, 0x3fd532250ccc4333ull, 0x3fd4359da2e6e3c6ull
  },
  {
    0xbfc1037733bf743bull, 0xbfc00ee9bc0413afull, 0xbfb7db828d80a861ull, 0xbfb08203e46d62beull,
    0xbfa36f04deb95f77ull, 0xbf94241c886c87a6ull, 0xbf86c97e5bd86804ull, 0xbf7c5e00c336c254ull,
    0xbf6ee1a042e3ba2cull, 0xbf5feb48910b6c89ull, 0xbf529a38c09ac8bfull, 0xbf47c4830d30e852ull,
    0xbf3acf7a993bd1a8ull, 0xbf2c324f63801d95ull, 0xbfa128c6e412b499ull, 0xbfb6d2171033cb13ull
  },
  {
    0xbf96b0ca795ea993ull, 0x3f9bd380f5f65896ull, 0x3fa07134000cf44dull, 0x3f988784f49f43b9ull,
    0x3f8b57c37576d7ecull, 0x3f785642358d93acull, 0x3f67684002a1ff9bull, 0x3f593233db81b32cull,
    0x3f469a2e5352da80ull, 0x3f32d929f4596843ull, 0x3f2265c160fdc7b4ull, 0x3f1445a8cd68ceedull,
    0x3f02ea5cba2004deull, 0x3ef011e625a626a4ull, 0xbfc067d20961fd44ull, 0xbfb811c2cc52a274ull
  },
  {
    0x3fabf8a75e09b4b6ull, 0x3f8d21645be91e66ull, 0xbf6d858239a9b2bcull, 0xbf77f770459c2fd4ull,
    0xbf6e52f55cac4d32ull, 0xbf58d7fcefe9ed24ull, 0xbf44d2cf25a22af7ull, 0xbf3396bed3309fbaull,
    0xbf1d2b150d6525ccull, 0xbf03b30754e77e22ull, 0xbef020ed27cdbb8bull, 0xbedeae41d39cb379ull,
    0xbec7b256b1feb0c3ull, 0xbeb0452970db6192ull, 0x3f9b3d58425acf18ull, 0x3faf3d1e8a5a506cull
  },
  {
    0xbf945d79170c9f14ull, 0xbf8fedb7c94fbc96ull, 0xbf6ccfa116a8f8abull, 0x3f35fa7bf5876491ull,
    0x3f4965885a6c5af9ull, 0x3f361a5a4ec4fe75ull, 0x3f20c6895aa41d7aull, 0x3f0c0054115c1da9ull,
    0x3ef17872474f9c82ull, 0x3ed3344f42d8cb51ull, 0x3eba6e2d075f8911ull, 0x3ea5b87845db804cull,
    0x3e8bcb8b82e9fcb7ull, 0x3e6edce4d930d252ull, 0x3fa8fd8b29b699d4ull, 0x3f92fe995bd8aa9full
  },
  {
    0xbf809686ebfabde4ull, 0x3f791ca248029a1bull, 0x3f6798ce886d7627ull, 0x3f42cecc2fc69563ull,
    0xbf15668894f38b75ull, 0xbf10d5ea604b99eaull, 0xbef8beb9d5a4c111ull, 0xbee2bb53fb69eee3ull,
    0xbec3d95951475186ull, 0xbea1de1b45515a84ull, 0xbe84b7e724a99990ull, 0xbe6d7503d0ecfdbaull,
    0xbe4f414736ea0e34ull, 0xbe2c13fc517a3da4ull, 0xbf9017227946d14bull, 0xbf9d66518c239a2eull
  },
  {
    0x3f85a86a1b458f3dull, 0x3f14cc157a310d25ull, 0xbf5377fbeeec2442ull, 0xbf396208088a9d62ull,
    0xbefaa189fdeeb24full, 0x3ee4025a38422539ull, 0x3ed0918ec19a0b8bull, 0x3eb78fcd3321a6ccull,
    0x3e95991d3cc53c60ull, 0x3e700d2489d97f81ull, 0x3e4f74f8d32598bcull, 0x3e335efbc80e461bull,
    0x3e110f23ee4c2dc2ull, 0x3de8d04143e9bc52ull, 0xbf9278a88790cda4ull, 0x3f52119037dbfc6bull
  },
  {
    0xbf65338602db0553ull, 0xbf59ceb7e30626b3ull, 0x3f2e5b898cb4849eull, 0x3f245d2b83b231a9ull,
    0x3ef586d20df05ec9ull, 0xbea58eb71ad97cc4ull, 0xbea37aa1774e5c25ull, 0xbe8bba57f5770052ull,
    0xbe669725943f4191ull, 0xbe3c058d60e51f02ull, 0xbe174a4c13e18847ull, 0xbdf8e334183b2b4full,
    0xbdd23661c7b36768ull, 0xbda5761426d6ab93ull, 0x3f80beb7e78608b8ull, 0x3f85e95356a38ceaull
  },
  {
    0xbf61fe6dce0f6b5dull, 0x3f4f58efff4f9d83ull, 0x3f11db159126db5dull, 0xbf05c87ab1f7ad0bull,
    0xbee1e97d9cf8e869ull, 0xbe90348d19af7ba1ull, 0x3e7223130b87e1cdull, 0x3e5e09fc31085e53ull,
    0x3e36b396994e95a3ull, 0x3e07d7f2e605e965ull, 0x3de0e3783187e87aull, 0x3dbf60bb0ccfc9b8ull,
    0x3d931b37090ac2c7ull, 0x3d624106862eaee0ull, 0x3f7a5085db3e6f4dull, 0xbf6c8d0660213cc3ull
  },
  {
    0x3f5fd8c7f4dfbf7cull, 0xbf2a573577db871bull, 0xbf1644d3302bf902ull, 0x3ed1e8a157636dbcull,
    0x3ec6742ebe38c6fbull, 0x3e82c634dfdb22c7ull, 0xbe2db3a105104a7cull, 0xbe2ccf1beac18eb2ull,
    0xbe05d285c7f5e153ull, 0xbdd3cd5df9a1f240ull, 0xbda80c9ebbb3aef7ull, 0xbd8377e4db070e13ull,
    0xbd53c240565261b2ull, 0xbd1ea309b78644c7ull, 0xbf702ebee9545b61ull, 0xbf697442d66c44f3ull
  },
  {
    0xbf2fc9f90a851cf3ull, 0xbf1dc173b7313978ull, 0x3f05bbffc07f629aull, 0x3ec8a9eefced7104ull,
    0xbea5ef50b5987be8ull, 0xbe69891b26484474ull, 0xbe149ad0ab403b8bull, 0x3df5d75aa1a538c7ull,
    0x3dd3dfd4014a7a38ull, 0x3da00bd9c12953abull, 0x3d70d61a61585919ull, 0x3d47d2a7e9c33826ull,
    0x3d142fef49bc8c39ull, 0x3cd96cb60ee5b543ull, 0xbf61df2ce8c6c603ull, 0x3f623d136bdee629ull
  },
  {
    0xbf4106f0878a9c86ull, 0x3f1f8e113e5ddf90ull, 0xbee6d62388a6b654ull, 0xbec3730a7f28b106ull,
    0x3e7cf1f47745c53bull, 0x3e4bfac0c2e798deull, 0x3e034a6a7327cc59ull, 0xbda9f319152ad4f2ull,
    0xbda0d343366974a9ull, 0xbd6953787d9b37d8ull, 0xbd3730ddb80f0d69ull, 0xbd0cc8160f31be13ull,
    0xbcd467ff6ec7529aull, 0xbc94e65c2bbae084ull, 0x3f5dba5eb60d4581ull, 0x3f422ec4bb260563ull
  },
  {
    0x3f362389f6d58c89ull, 0xbf085264b5dd9b13ull, 0xbea4066c6ead5507ull, 0x3eb0b41ce249196bull,
    0x3e07e708a3afe0a2ull, 0xbe2a58b28cad6fc7ull, 0xbde6098910749c3bull, 0xbd942a84cc364610ull,
    0x3d697164bf6c4d9eull, 0x3d3362e5c5c49266ull, 0x3cff691a200011daull, 0x3cd12cc00604395bull,
    0x3c9468b1405f39fdull, 0x3c510779a4f39f93ull, 0x3f46af58ba0553c7ull, 0xbf5098223faf88f3ull
  },
  {
    0x3ecfbc02d31e707eull, 0xbeb51ada026eebdcull, 0x3ec3aed47ca83098ull, 0xbe9358651492a8d8ull,
    0xbe456a81254d6aafull, 0x3e05644ce3fabf8dull, 0x3dc4d056a9be276full, 0x3d7e87466c0798b8ull,
    0xbd2e9a16cf193e95ull, 0xbcfc9ab297776a29ull, 0xbcc4e4505625b0a4ull, 0xbc94440b1bbfd35eull,
    0xbc5450348461b7b2ull, 0xbc0b90802cd89967ull, 0xbf4a41b33395c0a2ull, 0x3f1433ee36bff784ull
  },
  {
    0xbf1cea796c500fc5ull, 0x3eea70a2eac07fccull, 0xbeb733192d39cb9bull, 0x3e63e719663f3c9eull,
    0x3e380707b931046aull, 0xbddc2419799c7e63ull, 0xbda20a36a3260979ull, 0xbd5ec6101ca84e1full,
    0x3cce110d61cf5e4bull, 0x3cc49bc320632e91ull, 0x3c8bef8482f9a533ull, 0x3c58113d9f0ae5ceull,
    0x3c15133b5888e193ull, 0x3bc705013e1ed00eull, 0xbf296d5d45b1ea8cull, 0x3f37a36bcb128bd9ull
  },
  {
    0x3f09a961f7107806ull, 0xbedd61132f5feaeeull, 0x3e9d1726f28295d0ull, 0x3e52bdeb3bafdf7full,
    0xbe1f18b62733f67aull, 0x3da67487bf7f1aa8ull, 0x3d7c4df955fdab00ull, 0x3d397d10fc3e25e4ull,
    0x3cc9b7dc41e03718ull, 0xbc8bcba17c4b1cfdull, 0xbc526e2e672442a7ull, 0xbc1b2abb647c3b88ull,
    0xbbd37df6aafca536ull, 0xbb8268452e28359bull, 0x3f35d3769fb49673ull, 0xbf216861638e68dbull
  }
};
// </table>
// From `end` on tanh(x) is 1.
template <typename V, typename B, typename T, int N, int M> inline V tanhshrink_of(V x, V end, const T (&table)[N][M], B k) {
  const V a = fabs(x), square = a * a;
  const piece<V> y = piece_of(a, table, k);
  // The function, its product with the square, and what the three roundings lose.
  const V factor = fma(y.slope, y.t, y.value), factor_low = fma(y.slope, y.t, y.value - factor), product = square * factor;
  const V low = fma(square, factor_low, fma(fma(a, a, -square), factor, fma(square, factor, -product)));
  // 0 of either sign is +0.
  return where_below(a, end, fma(x, product, fma(x, low, V(0))), with_sign(a - V(1), x));
}
struct tanhshrink_form {
  static unsigned odd(floats) { return 0; }
  static unsigned odd(doubles) { return 0; }
  static floats value(floats x) {
    return tanhshrink_of(x, floats(9.5f), tanhshrink_float, bits_of(fabs(x) + 1.5f) >> 21);
  }
  static doubles value(doubles x) {
    return tanhshrink_of(x, doubles(20.0), tanhshrink_double, bits_of(fabs(x) + 1.5) >> 50);
  }
  template <typename T> static T other(T x) { return jl::tanhshrink(x); }
};
JITLAB_LANES(tanhshrink, float, tanhshrink_form)
JITLAB_LANES(tanhshrink, double, tanhshrink_form)
}  // namespace lanes
#endif
