// ndtri, of doubles by registers, in a piece for each octave of the smaller of p and 1 - p.
#if JITLAB_REGISTERS
namespace lanes {
// <table quantile double>
alignas(64) static const unsigned long long quantile_double[22][16] = {
  {
    0x3f07e60f04c756b3ull, 0x3f17dc177bd5f29full, 0x3f27c527754839e4ull, 0x3f37d821dc3a6fafull,
    0x3f484237fa89e60full, 0x3f58397b043b874eull, 0x3f67bb75d40948c6ull, 0x3f784d013a92a305ull,
    0x3f87c7e28240b780ull, 0x3f9835ee402bb0d0ull, 0x3fa84395810624ddull, 0x3fb7cd35a858793eull,
    0x3fc7af4f0d844d01ull, 0x3fe0000000000000ull, 0x3fe0000000000000ull, 0x3ef7e2c82869f32aull
  },
  {
    0x400f4dc58e4fb65cull, 0x400df119df493837ull, 0x400c86d303304a5eull, 0x400b080fa28f52ddull,
    0x40096d78d6933f62ull, 0x4007c6fd666f8f9aull, 0x400612e0315d7933ull, 0x400421013a079c3bull,
    0x4002286ccd10cd0full, 0x3fffbd56dd4a78aaull, 0x3ffabb2e534fd003ull, 0x3ff52998b6d582d8ull,
    0x3fecaec24e200eb9ull, 0x0000000000000000ull, 0x0000000000000000ull, 0x40104f2bc47771aaull
  },
  {
    0xc0b4af8e23a289cfull, 0xc0a58fb6e62c9bd3ull, 0xc09697c7311be5e6ull, 0xc0879cfc981704c2ull,
    0xc078797930a0e05cull, 0xc069f48a87e43d83ull, 0xc05c32ea40926c6bull, 0xc04db3ae3f980ca2ull,
    0xc04078c6576605e9ull, 0xc031ee4b2334e803ull, 0xc0243da7c7a0632dull, 0xc0180b9bf025e4c1ull,
    0xc00df778ed5262dbull, 0xbfe0364c7fd89c16ull, 0xbfe0364c7fd89c16ull, 0xc0c3f156510862a4ull
  },
  {
    0x418a29758fea100aull, 0x416b2fdf14dab20bull, 0x414c708cdbc66036ull, 0x412d702bbb965026ull,
    0x410dbf977c344924ull, 0x40ef4914ae9756a4ull, 0x40d12421ebfd1ad2ull, 0x40b157712de98f40ull,
    0x40933e97f926d942ull, 0x4073ee6074a3101aull, 0x405563c514a6b32bull, 0x4037e5d9a6210fecull,
    0x40192745e346a9d5ull, 0x3d35e99065358267ull, 0x3d35e99065358267ull, 0x41a956647d3905e4ull
  },
  {
    0xc266c76672fa8da0ull, 0xc237ab5967e7f09eull, 0xc208ce08f7e5a824ull, 0xc1d989c4748a04bdull,
    0xc1a94c841fec808dull, 0xc17a902d08c29335ull, 0xc14d9c3470149b52ull, 0xc11d21dd1cf717f8ull,
    0xc0f071b0fa4aa25dull, 0xc0c0a57a1e9f1a82ull, 0xc091c4c2ce0b4976ull, 0xc0645c174fc1a081ull,
    0xc036d5d7286eef36ull, 0xc004ffddeaa0c297ull, 0xc004ffddeaa0c297ull, 0xc2961b43faf47844ull
  },
  {
    0x43468497cf8172c5ull, 0x4307698a7bdeda54ull, 0x42c8997115e0381bull, 0x428936d8ec92a6d3ull,
    0x42488351cac7761eull, 0x4209ba98864adce0ull, 0x41cd378c9fcc1c2cull, 0x418c00e8609fee3cull,
    0x41501bdb10c671b2ull, 0x410fed5831ca7a9dull, 0x40d0ef7adccf2f18ull, 0x4093ac8694099793ull,
    0x4055ba79bdf08181ull, 0x3e429fe09150b53bull, 0x3e429fe09150b53bull, 0x4385e28fd6a6b91cull
  },
  {
    0xc427d8be845601d5ull, 0xc3d8d0f813195bd6ull, 0xc38a26d230edbb86ull, 0xc33ab2775463bec5ull,
    0xc2e97bca14b40752ull, 0xc29ac0b13ea1289dull, 0xc24ef7a50cf8839cull, 0xc1fcf006ea3a914dull,
    0xc1b0fa7d4dd7592aull, 0xc1607d14b95bad70ull, 0xc111689070e9be51ull, 0xc0c48f643744e66full,
    0xc076d5817684d809ull, 0xc0171712c7aed410ull, 0xc0171712c7aed410ull, 0xc477342b5ab98763ull
  },
  {
    0x450a5f2d1e8213c4ull, 0x44ab7944de226f58ull, 0x444d0b11511559ebull, 0x43ed8935eb45473cull,
    0x438bb05ef7b77c4aull, 0x432d150642775b65ull, 0x42d129cfa75b67e7ull, 0x426f494a99cd34e6ull,
    0x4212bb529346e498ull, 0x41b1d65f021c73a9ull, 0x4152c10405c659e7ull, 0x40f68792783eb7d9ull,
    0x40990f558453643cull, 0x3f110338805f60d6ull, 0x3f110338805f60d6ull, 0x4569aff2a4e3960cull
  },
  {
    0xc5ee0bd7cf929bbaull, 0xc57f56c1c11c4dabull, 0xc5109e6a12df5b82ull, 0xc4a0d6b3d9badb3bull,
    0xc42f02faa2a9422aull, 0xc3c04c074d3ec218ull, 0xc3539e6a9a744c43ull, 0xc2e171f395fe0239ull,
    0xc2755299235a4c8eull, 0xc203eab167f42795ull, 0xc194dc8477f734a9ull, 0xc12980dc0fe336b4ull,
    0xc0bc74b402dc17a1ull, 0xc02f54538aff38f2ull, 0xc02f54538aff38f2ull, 0xc65d4b33ecb882b0ull
  },
  {
    0x46d17e28d6ae7893ull, 0x465244b5bd9dee15ull, 0x45d370b2dce5c493ull, 0x4553a081292e8c31ull,
    0x44d1c146e4e87491ull, 0x4452ad06374586c8ull, 0x43d6eef3f5742e6dull, 0x4353e615066e18bdull,
    0x42d8d4b25e5cdae1ull, 0x4256c19544d6f8a7ull, 0x41d7c09bad48e243ull, 0x415d8f0d3f4a5ce6ull,
    0x40e08b09752fc57aull, 0x3fb76bd267ce6a67ull, 0x3fb76bd267ce6a67ull, 0x475111cc0bc973a8ull
  },
  {
    0xc7b4b5893845e6daull, 0xc725a7e0d712e0eaull, 0xc6971fa58a9636acull, 0xc607438b670202daull,
    0xc574ad07c08579bdull, 0xc4e5c4888bbc1b07ull, 0xc45b44d5deb88367ull, 0xc3c7173560139d39ull,
    0xc33d6bd8a4b29b9eull, 0xc2aa7588c6e072e6ull, 0xc21b86d128471703ull, 0xc191706af4d1c6f7ull,
    0xc10396aefd4b3f89ull, 0xc0467851f5d0134aull, 0xc0467851f5d0134aull, 0xc844397e36f952cfull
  },
  {
    0x4898d6de1ed518baull, 0x47fa02919dc233adull, 0x475bde84eda4962full, 0x46bbf0f8dc35e126ull,
    0x461866165bec8462ull, 0x4579b63fb766eb85ull, 0x44e06e55c8833742ull, 0x443b28a950abd8aaull,
    0x43a1ab4f345c5b7bull, 0x42ff30b6c82e7fe9ull, 0x42602c653c897d16ull, 0x41c4de79d5014880ull,
    0x4127870e4eba2b7dull, 0x4041f0ae165cdb71ull, 0x4041f0ae165cdb71ull, 0x493846f4402e2028ull
  },
  {
    0xc97e1c6ef6e48952ull, 0xc8cf92ef275d59e3ull, 0xc820f978facf1af1ull, 0xc770f5daf14476ccull,
    0xc6bd1a97f64ed8edull, 0xc60eb391555faf91ull, 0xc564047b76144ac6ull, 0xc4b025dc463973eaull,
    0xc405754357036e55ull, 0xc35296fb06cb3b8cull, 0xc2a338855c3fff31ull, 0xc1f9426202972364ull,
    0xc14c9601d8304d97ull, 0x4073d3a1a24b7f5full, 0x4073d3a1a24b7f5full, 0xca2d73a94c301d39ull
  },
  {
    0x4a62688e4b8b89f6ull, 0x49a3546374bdb280ull, 0x48e4db23648d1367ull, 0x4824c4d9ab1913e6ull,
    0x476183b045ec7adaull, 0x46a27eb2db794d40ull, 0x45e899db3de727ecull, 0x452360e66a28fc6dull,
    0x446a4ac0a47392b4ull, 0x43a65d5c91624712ull, 0x42e70e93795d9de2ull, 0x422edaddb85cabb0ull,
    0x41718703c4e7f598ull, 0x40b23f2f51f42639ull, 0x40b23f2f51f42639ull, 0x4b2204b7956bdb8bull
  },
  {
    0xcb46a51b67aa11ccull, 0xca77d03ef7b6e41full, 0xc9a9c9dce9554e2cull, 0xc8d9978956596c7cull,
    0xc8053459094a5bd4ull, 0xc7366a5bf4d4a26bull, 0xc66e6ef94c47772full, 0xc5976578013c4296ull,
    0xc4d036bc459c455bull, 0xc3fb126f940da7b5ull, 0xc32bd4e90a30090dull, 0xc262f926765c76a1ull,
    0xc195a5bc4fb8398full, 0x40e15cf32b83b9e2ull, 0x40e15cf32b83b9e2ull, 0xcc162e69e358adb4ull
  },
  {
    0x4c2c18777d3eae4cull, 0x4b4d996a71948200ull, 0x4a7018c5005f6c15ull, 0x498fd249b4463433ull,
    0x48a9c977edc36413ull, 0x47cb4d62d6fd206bull, 0x46f302cb5b9e2f65ull, 0x460c5c3ddbee406aull,
    0x453430eea84b1021ull, 0x445078fc50063b7cull, 0x4370e05b7c596942ull, 0x42978f6a3f3cf23eull,
    0x41bb03cf292a3f18ull, 0x410a2e5c460fedcdull, 0x410a2e5c460fedcdull, 0x4d0b8b0241b0b514ull
  },
  {
    0xcd11d68d0883493dull, 0xcc22ceb99fdae38dull, 0xcb347e119da60851ull, 0xca4437e1b7634827ull,
    0xc950258c8d6b0411ull, 0xc8611e3fb2485f84ull, 0xc77831d828c34f0bull, 0xc681b3d161b144deull,
    0xc599a6a5c946fa6eull, 0xc4a4a27a1ac4651bull, 0xc3b5132a3685b2fdull, 0xc2cddd66d1cce3ceull,
    0xc1e126239f0358ebull, 0x412db4afdf4092bcull, 0x412db4afdf4092bcull, 0xce017eeac028b3f2ull
  },
  {
    0x4df61b8e19205a9eull, 0x4cf74212623a02d3ull, 0x4bf93d1c4617942bull, 0x4af8f9bca771a251ull,
    0x49f48b844a9b1672ull, 0x48f5b561c7d73d86ull, 0x47fdbc38f0365c63ull, 0x46f6970bb2fcec45ull,
    0x45ff8f3aa556ac8cull, 0x44fa188e11f2d9ddull, 0x43fac3741f63b77dull, 0x43025cbceb20a6e1ull,
    0x4204feefa3959011ull, 0x4149691f40965b26ull, 0x4149691f40965b26ull, 0x4ef5abcc253bcb84ull
  },
  {
    0xced73cf19ecd577bull, 0xcdc8a1efa1d44d2bull, 0xccbb3ed4e98ec44eull, 0xcbaa8855e1c2bfa8ull,
    0xca94c3a4d3f40b69ull, 0xc985f516ed9e532eull, 0xc8802f558a0fe551ull, 0xc766d45800fa3276ull,
    0xc660fc661b729b78ull, 0xc54a67ef7f882c00ull, 0xc43b0af12d5afca4ull, 0xc333aafd7ff3888bull,
    0xc22717106eafa55eull, 0x415f997d45ac1d85ull, 0x415f997d45ac1d85ull, 0xcfe6d5dc7aeb28efull
  },
  {
    0x4fbf38dd2308118full, 0x4ea0eea3fa3e15dfull, 0x4d839cc4504a16b2ull, 0x4c626398edeb1d83ull,
    0x4b3443678c2f5575ull, 0x4a164b47c557c703ull, 0x4907ab47467094b4ull, 0x47d52760e09d6b30ull,
    0x46c848047ed13151ull, 0x459b3927ecffe7c7ull, 0x447a3a9955f36675ull, 0x436bc779f01719c2ull,
    0x42512442210ada1eull, 0x416b27abf327f48dull, 0x416b27abf327f48dull, 0x50deed40026743e3ull
  },
  {
    0xd0b27dba3ee7d5c8ull, 0xcf83912f829da058ull, 0xce5576a1ff95a05bull, 0xcd2508e6bc7489e2ull,
    0xcbeedb41e89594e0ull, 0xcac085845bd4bdcaull, 0xc9994c3c6b0a60cbull, 0xc8609ac803676180ull,
    0xc73aaa93dfab0f67ull, 0xc603e22a54b1772bull, 0xc4d3ebe34bb3aee4ull, 0xc3aece085ca08e6cull,
    0xc281c0a60bdd4b0bull, 0x416ce4f1b2e7cba9ull, 0x416ce4f1b2e7cba9ull, 0xd1e22c7fd12e8ea3ull
  },
  {
    0x5195c60b37d96a7aull, 0x50566d8cd76b5210ull, 0x4f172f6f3a4a695full, 0x4dd7da81d17efbb5ull,
    0x4c9842c66e2659feull, 0x4b592c2c8cebd45full, 0x4a1aaa332e6098b9ull, 0x48db28b1cc67b9e1ull,
    0x479cf9c5eac16334ull, 0x465de282889c715bull, 0x451f6c9e90ca57dcull, 0x43e0f2c55ac6c491ull,
    0x42a2247cd65cff34ull, 0x415d3438379a1b6bull, 0x415d3438379a1b6bull, 0x52d5364e0ed99b93ull
  }
};
// </table>
struct ndtri_of_double {
  static unsigned odd(doubles p) { return above(0x1p-16, at_most(1.0 - p, p)); }
  static doubles value(doubles p) {
    const doubles q = at_most(1.0 - p, p);
    const piece<doubles> y = piece_of(q, quantile_double, bits_of(q) >> 52);
    // From 1/4 up a piece is of what the result is above 1 - 2 q, so that little of it is rounded.
    return with_sign(fma(y.slope, y.t, where_below(q, doubles(0.25), y.value, fma(q, -2.0, 1.0))), p - 0.5);
  }
  static double other(double p) { return jl::ndtri(p); }
};
JITLAB_LANES(ndtri, double, ndtri_of_double)
}  // namespace lanes
#endif
