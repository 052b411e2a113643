// erf, of doubles by registers, in 16 pieces.
#if JITLAB_REGISTERS
namespace lanes {
// <table erf double>
alignas(64) static const unsigned long long erf_double[14][16] = {
  {
    0x0000000000000000ull, 0x0000000000000000ull, 0x3fe8c1e098ead65bull, 0x3ff26872b020c49cull,
    0x3ff89e7bd34252ddull, 0x3ffed2357542d94cull, 0x4002671be261fd2aull, 0x40059864678e26f7ull,
    0x4008a6b3b2e9430full, 0x400bb170d99cf5f8ull, 0x400ece95df208164ull, 0x4010e5ed691401e4ull,
    0x4012762762762762ull, 0x4013fea93241388eull, 0x4015869069069069ull, 0x401714fa975789f4ull
  },
  {
    0x0000000000000000ull, 0x0000000000000000ull, 0x3fe73c3a3b994ccfull, 0x3fecae4702dd9647ull,
    0x3fef0de85322f3ecull, 0x3fefcb337614fc7eull, 0x3feff6a6b624918bull, 0x3feffee554800e5full,
    0x3fefffe4714e1d46ull, 0x3feffffdf19084c5ull, 0x3fefffffe4560723ull, 0x3feffffffec29985ull,
    0x3feffffffff6c953ull, 0x3fefffffffffc92eull, 0x3fefffffffffff0aull, 0x3feffffffffffffdull
  },
  {
    0x3fc06eba8214db69ull, 0x3fc06eba82295d5bull, 0x3fe3d859a63da2d0ull, 0x3fd338a21e4245a6ull,
    0x3fbb11a3c7a066a4ull, 0x3f9c4341118a3f75ull, 0x3f7743e005d86464ull, 0x3f494f32180c7190ull,
    0x3f164073ab352863ull, 0x3edd94337827a34dull, 0x3e9b7a6f9dde7931ull, 0x3e55824f37ea5913ull,
    0x3e05bd77173a05ceull, 0x3db175027b214c33ull, 0x3d5507d232a5aad2ull, 0x3cf190a9a7d7f2fcull
  },
  {
    0x3c8cdcbeba1f6535ull, 0xbe13f94d0430bb08ull, 0xbfdeb4fec5536cd5ull, 0xbfd61d3046e8a98aull,
    0xbfc4d34aace3e6adull, 0xbfab38b592696c7bull, 0xbf8ac249847053d9ull, 0xbf611480771e4756ull,
    0xbf3124420d5fbf5dull, 0xbef9990f79ec4306ull, 0xbeba742d8439b95cull, 0xbe76b7676d32d1b1ull,
    0xbe2915b0cc08aed6ull, 0xbdd5d0cd145f7dbfull, 0xbd7c4b23337e0e9full, 0xbd1956fbcfda041cull
  },
  {
    0xbfd812746b037ac6ull, 0xbfd812745a8847fbull, 0x3fa4dd031592736dull, 0x3fc51bd7527534daull,
    0x3fc0d9df296a93c5ull, 0x3fae3f6fa069a804ull, 0x3f92945ab5556f9eull, 0x3f6ca0d9e7ec9125ull,
    0x3f40adf85d4f710eull, 0x3f0c4df0735648dfull, 0x3ed067e9fba1464bull, 0x3e8f17b3fce4510eull,
    0x3e42d7d0985081aaull, 0x3df1cfadea88a074ull, 0x3d98f03833f46473ull, 0x3d3801299176c2d2ull
  },
  {
    0x3d753904f5447387ull, 0xbe7c9d458c1e435dull, 0x3fc27424a1b0bb31ull, 0x3f94cc876dd2fd37ull,
    0xbfa8170db5470fedull, 0xbfa40f444a099fa9ull, 0xbf90e8ea89c1a11cull, 0xbf707924cab57ed1ull,
    0xbf46d75c79fc3404ull, 0xbf165c9f2d16a196ull, 0xbedd625128751af9ull, 0xbe9ef1e6a408f0e4ull,
    0xbe54b25ea6e49cc3ull, 0xbe05596890884a77ull, 0xbdb02f9d3f9de18cull, 0xbd50c96d541016d3ull
  },
  {
    0x3fbce2f219c190a9ull, 0x3fbce2f7e60fddfdull, 0xbfad1a29b1db008full, 0xbfae1dc8907f2d47ull,
    0xbf8593de22f130abull, 0x3f8987592789022eull, 0x3f83f897882a924dull, 0x3f6afc62ac3d19d0ull,
    0x3f472639fd0fa822ull, 0x3f1ab7be4ddbdab4ull, 0x3ee42b823375e9aeull, 0x3ea7d04c15ae8300ull,
    0x3e61b1042b2c85d4ull, 0x3e14020069ed36b4ull, 0x3dc07c495a61452cull, 0x3d627932c3653928ull
  },
  {
    0x3e1ed985bccf55c2ull, 0x3e9c0a89750ea4ffull, 0xbf985b8b24626292ull, 0x3f918d878bad978eull,
    0x3f9261af1c1514f4ull, 0x3f6404e77adfe4d4ull, 0xbf692df428a8cecbull, 0xbf5efe174b99a07bull,
    0xbf41afb931007eb9ull, 0xbf18ddadfa58771eull, 0xbee5f9071271f39cull, 0xbead686d87a4a26cull,
    0xbe687544c16d4d99ull, 0xbe1e7db7fbf8a9bfull, 0xbdcb69e48b766041ull, 0xbd70a5cd83ba8ee3ull
  },
  {
    0xbf9b82d07542d170ull, 0xbf9b855fc1418024ull, 0x3f933e0c0fa02f3eull, 0x3f81247a85c3b391ull,
    0xbf760c8e98c2f861ull, 0xbf71aa6349a034f0ull, 0xbf33c4ae2f617e68ull, 0x3f461b1538466553ull,
    0x3f341e654e7bb1deull, 0x3f123b66b4f96307ull, 0x3ee35f8628b1292eull, 0x3eadd3687ab93ff5ull,
    0x3e6c0a54bc38257eull, 0x3e236460ccc7ad82ull, 0x3dd31ceae9a96c36ull, 0x3d793fec38efa12cull
  },
  {
    0x3e9c13ba764a6765ull, 0x3f0a2f1ccddb2847ull, 0x3f57f695472ed598ull, 0xbf78e80f6b2c7358ull,
    0xbf5d188a87f11acdull, 0x3f59733026e53e7cull, 0x3f4b4445aaffecf2ull, 0xbf0a2ba6ccda8071ull,
    0xbf1fac9ac6467594ull, 0xbf04e649a5042616ull, 0xbedbe284130ab457ull, 0xbea932bce4fd1e81ull,
    0xbe6b1cf2fb9fedb1ull, 0xbe24f768b364c3deull, 0xbdd6c66b0cf713d7ull, 0xbd806dd097c93b0eull
  },
  {
    0x3f75621b2c1bcd0cull, 0x3f74c9f080bd3a09ull, 0xbf6ffd70f448a80cull, 0xbf132ec9988ba520ull,
    0x3f5b18e577989463ull, 0x3f26c697ee5ce254ull, 0xbf38087f8429effcull, 0xbf1a8a93203d998eull,
    0x3ef82a7f7db02516ull, 0x3ef1f9b0e9d45f8bull, 0x3ed054241d367bfbull, 0x3ea1da8cafc23295ull,
    0x3e665882f99b55abull, 0x3e23807c8081be76ull, 0x3dd77c3e816aa4ddull, 0x3d829140340359f3ull
  },
  {
    0x3ef3e68a627b613full, 0x3f32f6a5618b1892ull, 0x3f36886f7be33d9aull, 0x3f51fb873f9f8f4aull,
    0xbf2952de6f4b1e6cull, 0xbf367cf42bfa90f4ull, 0x3ef5c586431ccb99ull, 0x3f10a9484a96324eull,
    0x3ede86c808e04599ull, 0xbed40d84cba3ae34ull, 0xbebe7a0d9de57ee3ull, 0xbe9538d5595d7d67ull,
    0xbe5fa004e61ff0b7ull, 0xbe1f91825379606eull, 0xbdd545e57d283cb5ull, 0xbd82847709c48a3aull
  },
  {
    0xbf4e2e5e450468fcull, 0xbf5419511578197cull, 0x3f431c2a150f06c9ull, 0xbf2bc79a9f649724ull,
    0xbf2c3baee4d97edaull, 0x3f177bd8cebdfdf1ull, 0x3f0af327f16be9f5ull, 0xbeede55873482943ull,
    0xbee0858cb9a0bc19ull, 0x3e8620a732010906ull, 0x3ea540b7b8709474ull, 0x3e852a492a665382ull,
    0x3e53b7dc3704964eull, 0x3e172532eee07c85ull, 0x3dd1cd4e266d1462ull, 0x3d8179a72af74433ull
  },
  {
    0x3f21896b5fcf170aull, 0x3f337fc3a9fa9728ull, 0xbf1ffc813a06a386ull, 0xbf1fe3274eee5401ull,
    0x3f15d6ad7d186409ull, 0x3ef8b0f23a0cd9baull, 0xbef78911d2c69838ull, 0xbecccc901e184a8full,
    0x3ec86e746bdd7535ull, 0x3ea4b7e8b04bc76bull, 0xbe814867fd8d7e4dull, 0xbe704c5fc68c2ea3ull,
    0xbe4458b4a3729999ull, 0xbe0c264d45a768b8ull, 0xbdc85497d3d3148bull, 0xbd7b98c2209f4212ull
  }
};
// </table>
struct erf_of_double {
  static unsigned odd(doubles) { return 0; }
  static doubles value(doubles x) {
    // From here on the result is 1; and the pieces end.
    const doubles a = at_most(5.96, fabs(x));
    const piece<doubles> y = piece_of(a, erf_double, bits_of(fma(a, 2.6, 6755399441055744.0)));
    // The first two pieces are of erf(x) - x, so that little of them is rounded.
    return with_sign(fma(y.slope, y.t, where_below(a, doubles(0.576923076923077), a, y.value)), x);
  }
  static double other(double x) { return jl::erf(x); }
};
JITLAB_LANES(erf, double, erf_of_double)
}  // namespace lanes
#endif
