// atanh by registers, in a piece for each octave of 1 - |x|.
#if JITLAB_REGISTERS
namespace lanes {
// <table atanh float>
alignas(64) static const unsigned atanh_float[11][16] = {
  {
    0x3f7ffd00u, 0x3f7ff9f2u, 0x3f7ff40fu, 0x3f7fe7b4u, 0x3f7fcf9cu, 0x3f7f9ec0u, 0x3f7f3e89u, 0x3f7e7f51u,
    0x3f7cfd15u, 0x3f7a0949u, 0x3f73fb90u, 0x3f6831b3u, 0x3f4f62b7u, 0x3f211f44u, 0x00000000u, 0x00000000u
  },
  {
    0x40aaf537u, 0x409fb8d3u, 0x4094dab9u, 0x40897ccdu, 0x407cec26u, 0x40669340u, 0x40508aafu, 0x403a8023u,
    0x40242922u, 0x400e1bf4u, 0x3fee9b36u, 0x3fc1547bu, 0x3f904c05u, 0x3f3d8a7bu, 0x00000000u, 0x00000000u
  },
  {
    0x462aababu, 0x45a9220bu, 0x452b850cu, 0x44a89cd4u, 0x442959fdu, 0x43a8991du, 0x43299ff4u, 0x42aadd67u,
    0x422b06cfu, 0x41adba6bu, 0x412e8442u, 0x40b472d5u, 0x403a3037u, 0x3fd3f6bdu, 0x32240b34u, 0x32240b34u
  },
  {
    0x4ce38e25u, 0x4bdf7691u, 0x4ae5cb3au, 0x49de0745u, 0x48dfe571u, 0x47ddbe35u, 0x46e01f34u, 0x45e2becau,
    0x44e1d3f7u, 0x43e64cb0u, 0x42e2c4a8u, 0x41e6bb5du, 0x40db65f1u, 0x3fdceaa0u, 0xb64f01d5u, 0xb64f01d5u
  },
  {
    0x53ca4570u, 0x5244d6a2u, 0x50cd439bu, 0x4f42f200u, 0x4dc5693fu, 0x4c4291d2u, 0x4ac5b5d6u, 0x494931d0u,
    0x47c7fb8bu, 0x464dfc47u, 0x44c9665au, 0x434f4917u, 0x41c2ebfcu, 0x40540037u, 0x3eaabfe8u, 0x3eaabfe8u
  },
  {
    0x5aca55f6u, 0x58c31f3du, 0x56ce5607u, 0x54c09f7bu, 0x52c3e12au, 0x50c020c0u, 0x4ec44689u, 0x4cc8e6b9u,
    0x4ac74a0fu, 0x48cf4d75u, 0x46c92bb5u, 0x44d103d0u, 0x42c045c0u, 0x40d38257u, 0xbb53e7b5u, 0xbb53e7b5u
  },
  {
    0x61d7d59cu, 0x5f4e6229u, 0x5cdd1ce3u, 0x5a4b2115u, 0x57cf5f32u, 0x554a7c5bu, 0x52cfe390u, 0x5055f2b8u,
    0x4dd3d525u, 0x4b5e646cu, 0x48d64d63u, 0x4660aa1fu, 0x43cab4d8u, 0x4164dff4u, 0x3e6d525cu, 0x3e6d525cu
  },
  {
    0x68ec1a3du, 0x65dfae1cu, 0x62f327b2u, 0x5fdb7779u, 0x5ce0f76du, 0x59daa338u, 0x56e1a402u, 0x53e99a08u,
    0x50e6cf3du, 0x4df4e058u, 0x4aea1208u, 0x47f7f1bdu, 0x44daeb0bu, 0x41fd70a5u, 0xbe2f096au, 0xbe2f096au
  },
  {
    0x7006c89bu, 0x6c795c2cu, 0x690c847eu, 0x65728416u, 0x61fb7386u, 0x5e712ba0u, 0x5afc8c22u, 0x5784bfceu,
    0x54027a4bu, 0x508dea74u, 0x4d05216eu, 0x49906812u, 0x45f1a04fu, 0x4294e550u, 0x3f296df2u, 0x3f296df2u
  },
  {
    0x7744d30eu, 0x733685d4u, 0x6f4c9558u, 0x6b3178b2u, 0x67380b3du, 0x633076f9u, 0x5f38d654u, 0x5b42033eu,
    0x573ed58fu, 0x534e70b7u, 0x4f428acdu, 0x4b51b739u, 0x4730ce66u, 0x43578338u, 0xbf5933fdu, 0xbf5933fdu
  },
  {
    0x7e6a5f88u, 0x79e8757cu, 0x756b696cu, 0x70e7c86bu, 0x6c68a99au, 0x67e7a5edu, 0x6368c4c8u, 0x5ee9ff2eu,
    0x5a699244u, 0x55eba910u, 0x516a1153u, 0x4cec1951u, 0x4867b1a1u, 0x43ece021u, 0x3f36ba92u, 0x3f36ba92u
  }
};
// </table>
// <table atanh double>
alignas(64) static const unsigned long long atanh_double[22][16] = {
  {
    0x3fefffa01205bc02ull, 0x3fefff3e52bd3c36ull, 0x3feffe7de23c5905ull, 0x3feffcfb52e0300full,
    0x3feffa03ece2a535ull, 0x3feff4253490b9afull, 0x3fefe82918b66896ull, 0x3fefcfb344ad1fd0ull,
    0x3fefa0d9e83e425bull, 0x3fef425119ce075full, 0x3fee7d7dbf487fccull, 0x3fed08b439581062ull,
    0x3fea0237fa89e60full, 0x3fe4179ec9cbd822ull, 0x0000000000000000ull, 0x0000000000000000ull
  },
  {
    0x40155f0707be6a0bull, 0x4013f74be85e547dull, 0x4012960510216653ull, 0x401132c98013e0caull,
    0x400fa87141f0b9ffull, 0x400cec265e3fee0bull, 0x400a200322171fd7ull, 0x40074b73558f27edull,
    0x40049238a43bd4ddull, 0x4001c9ca2f118592ull, 0x3ffdc8c54a7f29c7ull, 0x3ff83198998b1dfaull,
    0x3ff22987beb1e261ull, 0x3fe79cfe4ca15d7bull, 0x0000000000000000ull, 0x0000000000000000ull
  },
  {
    0x40c559775c5d3429ull, 0x40b5264cf67c9d8cull, 0x40a537e67bf4bb14ull, 0x4095354804629c23ull,
    0x4085655399aa64b7ull, 0x40759c4a38bae148ull, 0x4065821f093d1e6bull, 0x4055437d417eb531ull,
    0x4045a66095426665ull, 0x4035d8c9b79b9297ull, 0x4025b4fa0e260267ull, 0x4016a060e5b2e1f9ull,
    0x4007921d4c620a57ull, 0x3ffa69b9c7b9485bull, 0xbc738b3f956c70c7ull, 0xbc738b3f956c70c7ull
  },
  {
    0x419c7c782f7532ddull, 0x417bf43c81a461dcull, 0x415c222ccc86ad32ull, 0x413c19e7b0e07d59ull,
    0x411c97234f89c168ull, 0x40fd256957bada44ull, 0x40dcd4298bd077d7ull, 0x40bc179e4dbf1400ull,
    0x409cf4649be9acccull, 0x407d23b87411ed75ull, 0x405c0f5ba581b3c9ull, 0x403d081664d23d00ull,
    0x401c38f4ea07c678ull, 0x3ffb60a54c0b6b51ull, 0x3d1e84db2c9602b4ull, 0x3d1e84db2c9602b4ull
  },
  {
    0x427956f3c2b5ff66ull, 0x4248a206bfc94c99ull, 0x4218ded85181d3f6ull, 0x41e8d3e1d8f3dee1ull,
    0x41b97a91ee5e9b1dull, 0x418a39adeb2e602aull, 0x4159cc5578041e81ull, 0x4128d0ef66f4755full,
    0x40f9f7f71824efc9ull, 0x40ca38c8bb0f3502ull, 0x4098cb8e52e20452ull, 0x406a2a9d9bed2d92ull,
    0x40396bfbbbd46174ull, 0x400a2f71d1d65602ull, 0x3fd5555555535b7eull, 0x3fd5555555535b7eull
  },
  {
    0x43595bb678b23d79ull, 0x43186b6e37b08416ull, 0x42d8bbf2ec662523ull, 0x4298ad6a8a3793baull,
    0x42598b4813088e63ull, 0x421a8bfc7efb6b26ull, 0x41d9f8ce95caf9d4ull, 0x4198a982b8e2d573ull,
    0x415a336fbd57083full, 0x411a8ac369ef0428ull, 0x40d8a2436ac9c1dfull, 0x409a76969be7f896ull,
    0x40596d7bd656687bull, 0x401a016bf769044dull, 0x3e09f05bdd7f13d8ull, 0x3e09f05bdd7f13d8ull
  },
  {
    0x443b1193481924b9ull, 0x43e9d27611eeb1ecull, 0x439a3d0f751d4d82ull, 0x434a29cb8ce45f15ull,
    0x42fb511adb68bca7ull, 0x42aca9ec265d0e2dull, 0x425be3d176f55165ull, 0x420a249ea16dd923ull,
    0x41bc329a97b026d2ull, 0x416ca845a4b0d4c1ull, 0x411a1b0556555a63ull, 0x40cc8d1b38ba8922ull,
    0x407b2a5dc9396b4eull, 0x402c0c58609eafcfull, 0x3fc999993fc749a4ull, 0x3fc999993fc749a4ull
  },
  {
    0x451e192db88569c1ull, 0x44bc715dc5919953ull, 0x445cfe7e85c22266ull, 0x43fce4f490ab9fbeull,
    0x439e6e063fac4a2bull, 0x43401e99f022193aull, 0x42df328d723cbacaull, 0x427cde18d516f4cfull,
    0x421f9c6c7e7f4d45ull, 0x41c01d7cd1e8889dull, 0x415cd16138bc99b7ull, 0x41000b294b80dba0ull,
    0x409e3a269ea3bc08ull, 0x403f61d19091459aull, 0x3eb7b13330486a9full, 0x3eb7b13330486a9full
  },
  {
    0x46013630c3d302edull, 0x45901cc2077f11acull, 0x45207a2db249b435ull, 0x44b0694030f9ad97ull,
    0x44416ed90014ffc8ull, 0x43d2a5eef9cdf0f4ull, 0x4361f279f012bbd5ull, 0x42f064b4e0628bfeull,
    0x4282399c54676db3ull, 0x4212a46e2a9f9a03ull, 0x41a05c483f6f9ebdull, 0x41328bb4c365590full,
    0x40c14c33e9f5a0f6ull, 0x40521322ca81379full, 0x3fc2481b14e84c92ull, 0x3fc2481b14e84c92ull
  },
  {
    0x46e41853faea767full, 0x4662a28e1fee551eull, 0x45e31e3c619681b7ull, 0x456307cbb3050a2aull,
    0x44e463fed6c81111ull, 0x446605de8e62b59cull, 0x43e514514185e0bbull, 0x436301c61f05d1baull,
    0x42e573e82b2a58bdull, 0x426603d732fbfb0bull, 0x41e2f69cdfce8138ull, 0x4165e27c173dac2full,
    0x40e435b57d296c40ull, 0x40653fef83bbc289ull, 0x3f404e7b044a361eull, 0x3f404e7b044a361eull
  },
  {
    0x47c7d572755286f3ull, 0x4735e5087937b397ull, 0x46a688c677786cbeull, 0x46166b0714f4f8c2ull,
    0x45883a80e5ebe0f8ull, 0x44fa6bd46d11bfd4ull, 0x446926b1ea492419ull, 0x43d6630c3fa4e967ull,
    0x4349a725cc38aadcull, 0x42ba691779147ef7ull, 0x42265442c8a11b23ull, 0x419a3c172648a4b3ull,
    0x4107fcaa19c48b3dull, 0x40796156e6830a3dull, 0x3fbafc43a1f91fa6ull, 0x3fbafc43a1f91fa6ull
  },
  {
    0x48ac9f1ca8868f32ull, 0x480a0bc653e43dd8ull, 0x476ae4912ade341cull, 0x46cabd21552957cfull,
    0x462d261551018d6aull, 0x45900c12bdb604d0ull, 0x44ee627d0b689484ull, 0x444ab28e1ad68602ull,
    0x43af0f1c275fe34cull, 0x43100a39b3b84195ull, 0x426a9ef698103d77ull, 0x41cfd7bc7ef3cb4eull,
    0x412cd37626fba51aull, 0x408eb13bae46f915ull, 0x3fa8fa077e3eff83ull, 0x3fa8fa077e3eff83ull
  },
  {
    0x49915c31349870caull, 0x48df4ca25b560f2dull, 0x483035d7629176e9ull, 0x47801bb2ffee985aull,
    0x46d1b651f83eed02ull, 0x4623b0bea3e7e93cull, 0x45728a3a75022f63ull, 0x44c014b10fabbc38ull,
    0x4412fe33779265c7ull, 0x4363ae404b00475bull, 0x42b007b64429ce56ull, 0x4203854d1b9dd5caull,
    0x41517f21357f482aull, 0x40a2bf1a5264a233ull, 0xbfccffde0ffabd58ull, 0xbfccffde0ffabd58ull
  },
  {
    0x4a753bba54edb092ull, 0x49b2f6ef7090ff46ull, 0x48f3b4b2e36a6729ull, 0x48339216fc09efbbull,
    0x4775b3f12b4f8452ull, 0x46b85b756db41fceull, 0x45f6cf74fdf71955ull, 0x453388d0e3995c3bull,
    0x44776b1fae316f2aull, 0x43b85818b9851a64ull, 0x42f377a47889e73aull, 0x423820e7af952ce5ull,
    0x41756a4d3508afdfull, 0x40b7166269568f0dull, 0x3ff965ba0dc016ddull, 0x3ff965ba0dc016ddull
  },
  {
    0x4b5a1d9ac3b9345dull, 0x4a871b2417e45837ull, 0x49b815d9d3588a78ull, 0x48e7e80cc6036404ull,
    0x481abe3244ae8defull, 0x474e50670656dbc8ull, 0x467c3a578024cc83ull, 0x45a7dbc8678a501dull,
    0x44dd0bdd6d140a24ull, 0x440e4bda9585a821ull, 0x4337c512a089aca4ull, 0x426e01383a7c9c52ull,
    0x419a5bc737e6060full, 0x40cc99bd72234ab9ull, 0xc0183169ebcf1e85ull, 0xc0183169ebcf1e85ull
  },
  {
    0x4c402e65044ffc97ull, 0x4b5c492053504ce7ull, 0x4a7d9bb924d8908dull, 0x499d5dc8cb4cb6a6ull,
    0x48c09baa6d125301ull, 0x47e30bfecb08676cull, 0x47019ed9c37dd9b3ull, 0x461d4d3373a2b149ull,
    0x45422dfa1cb6b960ull, 0x446308e18cff1705ull, 0x437d2e81c4d85a8eull, 0x42a2d5cac1768860ull,
    0x41c058aea2683e7dull, 0x40e1dffee4784ee1ull, 0x403236d00e761f68ull, 0x403236d00e761f68ull
  },
  {
    0x4d2490e1d0873600ull, 0x4c31d3532a3415c0ull, 0x4b42b839beeaaedfull, 0x4a528e74bf2ff861ull,
    0x4965227b25ec8d28ull, 0x48785ccc299a07c0ull, 0x47867a7fbe237b01ull, 0x46928343e4fdd7b3ull,
    0x45a737d0e082b9abull, 0x44b858b14eab031full, 0x43c26e8b2b00109bull, 0x42d81555910d6a26ull,
    0x41e4c945dcb07a9dull, 0x40f6d0b7ca59193aull, 0xc044a9fe72881eb5ull, 0xc044a9fe72881eb5ull
  },
  {
    0x4e09afb5de6a3febull, 0x4d06ab293ae4ab95ull, 0x4c07a58a0a718b90ull, 0x4b0777c3c7ecb06eull,
    0x4a0a528c1184a03cull, 0x490e061edcfbd631ull, 0x480bd7e9c164adccull, 0x47076b822d3f40b3ull,
    0x460cb139cb5648edull, 0x450e014e006d63f0ull, 0x440754d271a120bfull, 0x430db2715989a3eaull,
    0x4209eea65f8ea5edull, 0x410c3a9a0c33891full, 0x4051ab48819ba627ull, 0x4051ab48819ba627ull
  },
  {
    0x4eea9ed775374edfull, 0x4dd6f22f30906455ull, 0x4cc80e6a93f04eaaull, 0x4bb7d8dac33b292bull,
    0x4aab7acc2f7113b5ull, 0x49a073c297e67f95ull, 0x488da137fcba2b8cull, 0x4777caa1a9b4755bull,
    0x466ee1766e59a654ull, 0x4560700a81a8ff44ull, 0x4447b0701497f7d6ull, 0x4340335ed3abf9aaull,
    0x422af3147002a8aeull, 0x411e3198f8dac55eull, 0xc055f732a3f3703cull, 0xc055f732a3f3703cull
  },
  {
    0x4fd0f1c11225c24full, 0x4ea7b317da758109ull, 0x4d8af10c01eb3035ull, 0x4c6a57dc41846fe2ull,
    0x4b520a9e30f2eab6ull, 0x4a386c36511b1418ull, 0x4914abe93bf367b3ull, 0x47ea2ef1d6734ebfull,
    0x46d62308a152a04full, 0x45b863fb6c96f158ull, 0x4489e3536d8edbc8ull, 0x4377dd0bd41ccbbdull,
    0x42515e33fbc5a103ull, 0x413556681066efc5ull, 0x4052dddd7da53d33ull, 0x4052dddd7da53d33ull
  },
  {
    0x50c551e3f2130793ull, 0x4f918eac3551bd05ull, 0x4e62d495a48ec074ull, 0x4d3299ff9ee44e73ull,
    0x4c060d4d21f5095cull, 0x4ad9eedd43c5eabeull, 0x49a7b8d615c96dc2ull, 0x48728a3c805841d2ull,
    0x47489b771d39e2b4ull, 0x4619ea335d8419f6ull, 0x44e26cf9de2050eaull, 0x43b99d4ecf90e9b2ull,
    0x42859af2dd78f77cull, 0x415820c862661d79ull, 0xc044104110e2526cull, 0xc044104110e2526cull
  },
  {
    0x51aab7c520bda3d1ull, 0x506a7a79a7d9ce68ull, 0x4f2a8f36ea6ed440ull, 0x4dea8b7c8433f95aull,
    0x4caac3b23f3f0d0eull, 0x4b6b02eccc307505ull, 0x4a2adee75252cbb1ull, 0x48ea8a7bbdee59b2ull,
    0x47aaed536f9f6ab8ull, 0x466b02a0d1805921ull, 0x452a889f1392720bull, 0x43eafdbc1a8d387bull,
    0x42aabc6b522a307aull, 0x416ae584c18c0c03ull, 0x40244194a11aab3cull, 0x40244194a11aab3cull
  }
};
// </table>
struct atanh_form : within_octaves {
  static floats value(floats x) { return by_octave(x, atanh_float); }
  static doubles value(doubles x) { return by_octave(x, atanh_double); }
  template <typename T> static T other(T x) { return jl::precise_atanh(x); }
};
JITLAB_LANES(atanh, float, atanh_form)
JITLAB_LANES(atanh, double, atanh_form)
}  // namespace lanes
#endif
