// erfinv by registers, in a piece for each octave of 1 - |x|.
#if JITLAB_REGISTERS
namespace lanes {
// <table erfinv float>
alignas(64) static const unsigned erfinv_float[11][16] = {
  {
    0x3f7ffcf9u, 0x3f7ffa09u, 0x3f7ff3f9u, 0x3f7fe82au, 0x3f7fcff9u, 0x3f7f9ec3u, 0x3f7f426cu, 0x3f7e81fdu,
    0x3f7d0602u, 0x3f79fef1u, 0x3f7423b4u, 0x3f683ef1u, 0x3f4fdef5u, 0x3f203f5au, 0x00000000u, 0x00000000u
  },
  {
    0x40385f5cu, 0x40311957u, 0x402948acu, 0x4021569du, 0x4018d339u, 0x400fd018u, 0x4006cf69u, 0x3ff98eb7u,
    0x3fe4613fu, 0x3fcd1770u, 0x3fb45437u, 0x3f982263u, 0x3f6e5026u, 0x3f20ea7fu, 0x00000000u, 0x00000000u
  },
  {
    0x455eaf27u, 0x44ea658eu, 0x44721481u, 0x43fef30du, 0x4384b378u, 0x430a2e7bu, 0x4295cdb9u, 0x421ea70fu,
    0x41ab12c4u, 0x4138c496u, 0x40ce61bau, 0x4068eed4u, 0x4006ebf9u, 0x3fa8671bu, 0xbde901dbu, 0xbde901dbu
  },
  {
    0x4c0b81aau, 0x4b147850u, 0x4a175fedu, 0x49200443u, 0x482441b2u, 0x472799f2u, 0x4638a621u, 0x453fb253u,
    0x444bf8feu, 0x4355ac63u, 0x426a6667u, 0x417be7f1u, 0x40846456u, 0x3f8b4445u, 0xb5e63f96u, 0xb5e63f96u
  },
  {
    0x52f01460u, 0x51817c23u, 0x5002b7aeu, 0x4e8b2de5u, 0x4d0d7c9fu, 0x4b8e3b65u, 0x4a2048a8u, 0x48a49258u,
    0x472eddb8u, 0x45b4c68bu, 0x4447d698u, 0x42d5c248u, 0x415f2e8fu, 0x3ffaba06u, 0x3e6dac9fu, 0x3e6dac9fu
  },
  {
    0x59ea7957u, 0x58004037u, 0x5600498eu, 0x5409af79u, 0x520abf2au, 0x5009906eu, 0x4e1ec1f7u, 0x4c21746bu,
    0x4a2b9a07u, 0x482f6532u, 0x4643aba0u, 0x445031bfu, 0x42555768u, 0x406bee35u, 0xbaebc7f0u, 0xbaebc7f0u
  },
  {
    0x60f55641u, 0x5e87ffedu, 0x5c06e717u, 0x5991ea3cu, 0x5711e16cu, 0x548ed585u, 0x5228a344u, 0x4faa0d2bu,
    0x4d34e5a1u, 0x4ab70f75u, 0x484e29b3u, 0x45da806bu, 0x435c8d40u, 0x40f5539du, 0x3e14b79cu, 0x3e14b79cu
  },
  {
    0x6803e168u, 0x6514712fu, 0x6211e36du, 0x5f1f41eau, 0x5c1dd75du, 0x59188a14u, 0x5638d68bu, 0x5338a43du,
    0x5044c306u, 0x4d450287u, 0x4a60893eu, 0x476d26a7u, 0x446b84b3u, 0x418346a6u, 0xbdc2efeeu, 0xbdc2efeeu
  },
  {
    0x6f120a6du, 0x6baab17fu, 0x68245213u, 0x64b76228u, 0x61325df3u, 0x5da6cebcu, 0x5a574e5au, 0x56d329b2u,
    0x536239e7u, 0x4fdd988fu, 0x4c81e50du, 0x49088963u, 0x45832c2eu, 0x4213e1f6u, 0x3ec06577u, 0x3ec06577u
  },
  {
    0x7653ffafu, 0x72763e90u, 0x6e6dfeebu, 0x6a8409ccu, 0x6680ec35u, 0x62714d44u, 0x5e99e9adu, 0x5a97bfbcu,
    0x56a21490u, 0x529f624fu, 0x4eb90523u, 0x4ac263acu, 0x46bbd14au, 0x42d2c484u, 0xbef2629cu, 0xbef2629cu
  },
  {
    0x7d864be4u, 0x790c08b8u, 0x748f3e83u, 0x70151732u, 0x6b9930c9u, 0x671d143au, 0x62a70d67u, 0x5e2cfa13u,
    0x59b55d06u, 0x553cfe2au, 0x50c99543u, 0x4c558164u, 0x47e131bdu, 0x43732bbcu, 0x3ecdc656u, 0x3ecdc656u
  }
};
// </table>
// <table erfinv double>
alignas(64) static const unsigned long long erfinv_double[22][16] = {
  {
    0x3fefffa0432ca57aull, 0x3fefff3fe399df81ull, 0x3feffe8448a2bf6bull, 0x3feffcf960cd589cull,
    0x3feffa130323e884ull, 0x3feff4101c66207full, 0x3fefe8376eba8129ull, 0x3fefd04cbb52e030ull,
    0x3fefa09747682cc8ull, 0x3fef4130be0ded29ull, 0x3fee7c28f5c28f5cull, 0x3fed05b7a32846ffull,
    0x3fea09a8e448a2bfull, 0x3fe41ce075f6fd22ull, 0x0000000000000000ull, 0x0000000000000000ull
  },
  {
    0x40070fe6507817a8ull, 0x400620e93e049f02ull, 0x40052dfe43ae9c36ull, 0x400424f52a20e6efull,
    0x40031f96a713af50ull, 0x400201987e895b15ull, 0x4000d850960ff8a0ull, 0x3fff32daed7c77bcull,
    0x3ffc8a7222a0e7deull, 0x3ff9aa970af01de3ull, 0x3ff66ffee09c4f19ull, 0x3ff30063bd47a7a9ull,
    0x3fede72fd17e3fbbull, 0x3fe438f1997641fdull, 0x0000000000000000ull, 0x0000000000000000ull
  },
  {
    0x40ac2626eb6a23d5ull, 0x409d1f1b91d9f467ull, 0x408ea5778d05b7a1ull, 0x407f696b3ea947d1ull,
    0x4070ca1f7e332a57ull, 0x4061901395926002ull, 0x4052a9daa05e3f03ull, 0x4043d9cb621c9477ull,
    0x40355a32a31f2e22ull, 0x40273c229ce323ebull, 0x4019550c6338f1b6ull, 0x400d0cf8905ae4fcull,
    0x4000fa44ab66d830ull, 0x3ff523d976860db1ull, 0xbfbd203b725884abull, 0xbfbd203b725884abull
  },
  {
    0x4181d86b3e59ac71ull, 0x41625399d040651cull, 0x41436cfaca9fa05bull, 0x4123691d7618e679ull,
    0x41050eab58c2a7edull, 0x40e5b20e8f188224ull, 0x40c6eb8b1c87563aull, 0x40a802f4c1ea9916ull,
    0x40896a317e1e8196ull, 0x406b1021bdcd5f7cull, 0x404c1f4e683dcbb4ull, 0x402f5215a41fab2dull,
    0x4010d59ea836dddcull, 0x3ff1a6b7175f2827ull, 0x3d0efd1f1deeca2aull, 0x3d0efd1f1deeca2aull
  },
  {
    0x425f1388ffe00152ull, 0x422fc28fac09af9bull, 0x420100da49fe1046ull, 0x41d09f94c5686a74ull,
    0x41a2607caed78e48ull, 0x4172bfb70c4ef1ffull, 0x4143d2b6ada45c38ull, 0x4114a2d8aab41fecull,
    0x40e5c05492576c4full, 0x40b70e607d8995fbull, 0x4087757f5826c4a0ull, 0x405a809d48fbbc08ull,
    0x402ca0e960428127ull, 0x3ffff3ce4f819d4bull, 0x3fcdb29fb2fce442ull, 0x3fcdb29fb2fce442ull
  },
  {
    0x433eb3d5608a2201ull, 0x42ff3ecd79b5fc7dull, 0x42c0e8bd6efb5789ull, 0x4280300bc83bb961ull,
    0x4242409248192ebcull, 0x420275b1838c77f6ull, 0x41c38ebbcdb71222ull, 0x418442daa6ab198aull,
    0x41454d9e0a288208ull, 0x410684e2fccc07a0ull, 0x40c67825f56188b1ull, 0x4089bb6e6e2075a6ull,
    0x404b9bc8e1e1997eull, 0x400e47da3303a061ull, 0x3dfa56cbef950d82ull, 0x3dfa56cbef950d82ull
  },
  {
    0x44203e4660e79ae7ull, 0x43d0770e46d64a8full, 0x43820500ab58440full, 0x4330e5f2befd5281ull,
    0x42e370e9eedf76d0ull, 0x42938010d583e0b8ull, 0x4244b6b14d6f1effull, 0x41f55e5e04c025bfull,
    0x41a66dc55bb9bc75ull, 0x4157aa205b63f745ull, 0x41072e1e6897bcb2ull, 0x40baf1bfa7269bf2ull,
    0x406ccb6406b3e5e2ull, 0x401fb40deeda2075ull, 0x3fc053c29310b074ull, 0x3fc053c29310b074ull
  },
  {
    0x4501f1feece47ff7ull, 0x44a21f028aebb549ull, 0x44440e6ef01b99cdull, 0x43e26d7f0e4df69bull,
    0x4385a3008552f3aeull, 0x4325878fe6d06745ull, 0x42c6ef7744013038ull, 0x426791c46c08c892ull,
    0x4208b4c1dee39c43ull, 0x41aa07efd36f1c8cull, 0x41490bbfb9098e17ull, 0x40ed9164b5372551ull,
    0x408f7d5cf9b616acull, 0x403154aacb792deaull, 0x3ea80f365250a3f5ull, 0x3ea80f365250a3f5ull
  },
  {
    0x45e46c5ba37c6ec7ull, 0x45748c029680b26bull, 0x450700422a34bd13ull, 0x4494b54c4e188dabull,
    0x4428d157f92c629aull, 0x43b8807a2bf53926ull, 0x434a2ea827d1054bull, 0x42dacedd8caea5acull,
    0x426c122989607089ull, 0x41fd8b3e7ebc3940ull, 0x418bee83525d1ea1ull, 0x4120c06ad4e46dfeull,
    0x40b1c99a59cac83dull, 0x40439ae21cc726d7ull, 0x3fb6273a25fc4d12ull, 0x3fb6273a25fc4d12ull
  },
  {
    0x46c7c0c895e20a97ull, 0x4647cf5108b75611ull, 0x45caf5c88b754e97ull, 0x4547c958abf2a119ull,
    0x44cd1992141c235dull, 0x444c8219267d6726ull, 0x43ce8fa168ccda9eull, 0x434f2ea83234933bull,
    0x42d04f9c3bcbb3b4ull, 0x425126cab6a32885ull, 0x41cfe003e8cb5285ull, 0x41536d9fd33ec01full,
    0x40d4932b6ffcbbc8ull, 0x4056b5801e9d1b34ull, 0x3f308fafb2c8a020ull, 0x3f308fafb2c8a020ull
  },
  {
    0x47ac161daeef5b65ull, 0x471c0d66291442b4ull, 0x469010bfa21d2672ull, 0x45fbc8576b74eeedull,
    0x457159547860d437ull, 0x44e0ddda5ee31185ull, 0x4452240c5d202118ull, 0x43c2726602b3d82full,
    0x4333489ee64a8c31ull, 0x42a44322169f2f4cull, 0x4212822a8f9ee1a6ull, 0x4186ef39f5cd5138ull,
    0x40f83aaac8ec06b9ull, 0x406ac9bc16716982ull, 0x3fafc70259b35031ull, 0x3fafc70259b35031ull
  },
  {
    0x4890d2aca6ca631eull, 0x47f0be252f93e829ull, 0x4753663d4144ad5bull, 0x46b07094e3d9e2e5ull,
    0x4614f624e0033d06ull, 0x4574397b6b4bae67ull, 0x44d5d360c2fed619ull, 0x44361ed94272fad1ull,
    0x43971bb632789575ull, 0x42f843ee28e67b54ull, 0x4255caa12ed9dbd9ull, 0x41bb73cdaf2bfd1bull,
    0x411cefcc6f860a04ull, 0x408006cd131f449dull, 0x3f995f07c7436a65ull, 0x3f995f07c7436a65ull
  },
  {
    0x49745e0c5991f07aull, 0x48c432e4fceae7acull, 0x4817acee6c193182ull, 0x4763aa337fe02936ull,
    0x46b9994c5a5a3ac8ull, 0x46088370f1c65621ull, 0x455a8b63751238bdull, 0x44aad0daf0330b45ull,
    0x43fbff09484160c8ull, 0x434d61ba24f73afaull, 0x4299f1ca13e9f1aaull, 0x41f09dac7abcd19bull,
    0x41417a2c14e97e0dull, 0x4093661d25a0fe29ull, 0xbfbc0a06d85db51dull, 0xbfbc0a06d85db51dull
  },
  {
    0x4a58df1582f18070ull, 0x49989490bc292352ull, 0x48dd246f04a5f3ceull, 0x4817bb55d2d45b31ull,
    0x475f883955a3c774ull, 0x469df8c84cf74598ull, 0x45e04871f4af8867ull, 0x452065be53198050ull,
    0x44611c1e371d6a86ull, 0x43a1f2a3479af083ull, 0x42df2cfb72979c92ull, 0x42244c21c2466b67ull,
    0x41654e90448896d1ull, 0x40a7b327d206ef4bull, 0x3fe9ce0d8eba6ebcull, 0x3fe9ce0d8eba6ebcull
  },
  {
    0x4b3e8dcc5a48c360ull, 0x4a6e16da98102affull, 0x49a20d16620170b4ull, 0x48ccce97ed6977a2ull,
    0x48038c2d8215bd7full, 0x47326fe307f6653cull, 0x46641b031ec06977ull, 0x45942e59d7cd0d2bull,
    0x44c50c1883b70082ull, 0x43f6118de67bc8ccull, 0x4322d8a9d34e2652ull, 0x4258f5bd9c0c09b1ull,
    0x418a26680ab80a00ull, 0x40bd27e5af98165full, 0xc0088e1bc0a43373ull, 0xc0088e1bc0a43373ull
  },
  {
    0x4c22ec0a5c4a76ecull, 0x4b428dbb52a8a93dull, 0x4a6694dbd2218720ull, 0x498192d32068d64full,
    0x48a87a7630f1998aull, 0x47c6e2538e0911eaull, 0x46e9101cce5ba195ull, 0x460910668fb1de12ull,
    0x452a20896e82e831ull, 0x444b6268fb8516d5ull, 0x4366e6158797106cull, 0x428efc28594e4477ull,
    0x41b03271cd9eceb9ull, 0x40d21cbf5436e729ull, 0x40228348d64cbc1bull, 0x40228348d64cbc1bull
  },
  {
    0x4d08023a91f1132eull, 0x4c177b83d9daa2b6ull, 0x4b2cc682034b6116ull, 0x4a36124f2d3b7057ull,
    0x494f32698e90ccc2ull, 0x485d0d2ceb1cb1cbull, 0x476fdfc91887fd0bull, 0x467fd15f7eac9a2full,
    0x4590939db37f38feull, 0x44a15e0546533a8cull, 0x43aca5502806ea34ull, 0x42c3a49b81fa4647ull,
    0x41d4824ccb2a1bb0ull, 0x40e6f452210e6c22ull, 0xc035015364231342ull, 0xc035015364231342ull
  },
  {
    0x4dedd20360db4e83ull, 0x4ced50300b1a1b08ull, 0x4bf1b30d2515eb97ull, 0x4aebf788e5597211ull,
    0x49f32a83b6671f95ull, 0x48f1f776b0db8400ull, 0x47f3a08009dad002ull, 0x46f3a4fddddf06d7ull,
    0x45f47710b62c5373ull, 0x44f56ed00bbd008dull, 0x43f229085d2f4dbdull, 0x42f8300b67c008e9ull,
    0x41f945baa52d2253ull, 0x40fc2e1041ac6c03ull, 0x4041f7d0e118b9a6ull, 0x4041f7d0e118b9a6ull
  },
  {
    0x4ecf248a6cdefc5cull, 0x4dbe39eb2e0eadbfull, 0x4cb34641e4324044ull, 0x4b9c4ee5004422d4ull,
    0x4a9503a748dd5c2bull, 0x4982f8c7c23b78fcull, 0x48751edeac7ac58bull, 0x4764d7345e0f11f5ull,
    0x4655b341d4bb9a0dull, 0x4546bab5b351b12cull, 0x44325bb216182365ull, 0x4329cda1dd24fde9ull,
    0x421acd8d7ab09ce4ull, 0x410e5b72ee3c2fc7ull, 0xc0465821fd541c65ull, 0xc0465821fd541c65ull
  },
  {
    0x4fb47318db6b3095ull, 0x4e92bd56a20ba08dull, 0x4d7c3a81a4300aa5ull, 0x4c4d502117ef0763ull,
    0x4b3f22a6ba8f1544ull, 0x4a19d93440576609ull, 0x48fe30b9ec2f78c6ull, 0x47dcc4f53194983dull,
    0x46bde8bb981fa21bull, 0x459f55248d4f059eull, 0x44725029ad4cdcc4ull, 0x43620da4d87a30baull,
    0x4242768b0b4ffe0cull, 0x4125b3e8a561f7f1ull, 0x40433392fdc6acc5ull, 0x40433392fdc6acc5ull
  },
  {
    0x50a8ca1233e97110ull, 0x4f77ef3ef76d74fdull, 0x4e4e39e1eb3539cbull, 0x4d1579b278ed04acull,
    0x4bf061ab6ffc4838ull, 0x4abe1b26011c024bull, 0x4990a1bd63c02e0cull, 0x48607daf94e732f2ull,
    0x473128147ee317d5ull, 0x4601f2f677e41951ull, 0x44cb5a17dd3c5718ull, 0x43a4472d889cb59aull,
    0x42751123a5afdcdaull, 0x4147a7f6cf68dc59ull, 0xc0346e6dea73eb5full, 0xc0346e6dea73eb5full
  },
  {
    0x518df0c64a09bbe0ull, 0x504ea6dba8980c5bull, 0x4f0fe14dcb2ae158ull, 0x4dd01cd19750e029ull,
    0x4c90f675e17e161aull, 0x4b516b05ff6285c5ull, 0x4a121d24a82dce69ull, 0x48d2c4267aa14920ull,
    0x47938c42255732c0ull, 0x46546e6e3214b895ull, 0x45151b7f54b794d5ull, 0x43d69ce329393ceeull,
    0x4297ec57dcad7a88ull, 0x415990c97f7eb39dull, 0x4014a67c4eb018efull, 0x4014a67c4eb018efull
  }
};
// </table>
struct erfinv_form : within_octaves {
  static floats value(floats x) { return by_octave(x, erfinv_float); }
  static doubles value(doubles x) { return by_octave(x, erfinv_double); }
  template <typename T> static T other(T x) { return jl::erfinv(x); }
};
JITLAB_LANES(erfinv, float, erfinv_form)
JITLAB_LANES(erfinv, double, erfinv_form)
}  // namespace lanes
#endif
