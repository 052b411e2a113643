// lgamma, of doubles by registers: up to 26 in 16 pieces and beyond by Stirling's formula, in two words. Below zero, with a distance
// of r to the nearest whole number, it is -log(|x| r) - log(sin(pi r) / (pi r)) - lgamma(|x|).
#if JITLAB_REGISTERS
namespace lanes {
// <table lgamma double>
alignas(64) static const unsigned long long lgamma_double[21][16] = {
  {
    0x3fe0187080e33104ull, 0x3ff0000000000000ull, 0x3ff7fef9db22d0e5ull, 0x4000000000000000ull,
    0x400602869f32a764ull, 0x400e1edb45c4be9aull, 0x4012ffd44f307826ull, 0x4017067c3ece2a53ull,
    0x401d27a9b5ffba18ull, 0x402289eecbfb15b5ull, 0x40267dbf487fcb92ull, 0x402a88f1641434faull,
    0x40304710cb295e9eull, 0x40344756b2dbd194ull, 0x40383728d2ceb623ull, 0x3fbeb8ddbaea04a4ull
  },
  {
    0xbfbee42d8f923ad7ull, 0x0000000000000000ull, 0xbfbeec2e3fea7ed3ull, 0x0000000000000000ull,
    0x3fde7a785410be52ull, 0x3ff8131dc993dad5ull, 0x40067775a9048569ull, 0x40118248f761cd75ull,
    0x401c815351e48a6dull, 0x40265efb65d41615ull, 0x402f5ea4cdebcaf4ull, 0x4034aa69995af947ull,
    0x403ca9a33bb8b1a8ull, 0x404415b7240f60f9ull, 0x404a24da1094fc0dull, 0xbfadbae8b7cb16bcull
  },
  {
    0x3fa41bde4b130cc6ull, 0xbfe2788cfc6fb619ull, 0x3fa2902dcaca3ffaull, 0x3fdb0ee6072093ceull,
    0x3fea38db64ddba1eull, 0x3ff2fe7944d94dfeull, 0x3ff72fc7a7fedda4ull, 0x3ffa932dd97bf239ull,
    0x3ffea89cb44e05a7ull, 0x40015fdd6285b9feull, 0x4002ffb4db31bc80ull, 0x400460931e4ee283ull,
    0x400611eff6cf5dbcull, 0x4007e0afd5d7480cull, 0x40095461738142f9ull, 0xbfd94ef30feb1c46ull
  },
  {
    0x3c313bd4aba9c567ull, 0xbc485602efcb73c9ull, 0x3c3b159e58f7abb1ull, 0x3c56cb8cd86f1ffeull,
    0x3c8ccdea87817fb6ull, 0xbc61578e635588e4ull, 0xbc8fe47302a2a0fdull, 0x3c899f0f0a173893ull,
    0xbc9afe8802e963f5ull, 0xbca66fc812e81c5dull, 0x3c9a81c0ac1f1ccfull, 0xbcab1bef4c79b7c4ull,
    0xbc6155c357dc2801ull, 0x3ca674bce6a6a01bull, 0xbc60d157b1c5d295ull, 0x3c7224293abe83a6ull
  },
  {
    0x3fddd5b20dc1e3e9ull, 0x3fea51a6625307d3ull, 0x3fddeb98eccb4880ull, 0x3fd4a34cc4a60fa6ull,
    0x3fcbfd5b2c1a4534ull, 0x3fc373f22d00a42dull, 0x3fbdfb817698b60dull, 0x3fb8476eb3f46a3dull,
    0x3fb2d2288898ac4eull, 0x3fad293293737460ull, 0x3fa7ce7ae58b147eull, 0x3fa40a6d8fcf36eaull,
    0x3fa038592f393e75ull, 0x3f99e18716c3ea20ull, 0x3f959609f565a764ull, 0x3fe659db11ad68acull
  },
  {
    0xbfc19775eb32af9bull, 0xbfd9a4d55beab175ull, 0xbfc1b0425bb3cd67ull, 0xbfb13e001a557607ull,
    0xbfa01635c37a832cull, 0xbf8f4df9fb2f4f0aull, 0xbf82a52c8498fd5eull, 0xbf787d40fb01a757ull,
    0xbf6d776b12538bbaull, 0xbf61b263361b0bafull, 0xbf579906b39aba16ull, 0xbf50b9e2872c9074ull,
    0xbf45eac1a0471533ull, 0xbf3be7468b7b7ab8ull, 0xbf33697f27adb31cull, 0xbfd2ecbd06e140f4ull
  },
  {
    0x3fadd72dd3bb43e0ull, 0x3fd151322ac7d6f8ull, 0x3fae1442e0a204fcull, 0x3f951322ac7d8483ull,
    0x3f7b5e85aabf8041ull, 0x3f62c2699d83d974ull, 0x3f5151489e757fb7ull, 0x3f427900775f5ea3ull,
    0x3f31450583e06103ull, 0x3f2017a0641f46e1ull, 0x3f1187d3ae6e3853ull, 0x3f04edcf925ff2fdull,
    0x3ef63426e02fdab2ull, 0x3ee68ee2bc54927bull, 0x3eda2e8464ac998eull, 0x3fc67980fbbe8264ull
  },
  {
    0xbf9d5d9b219e4ffcull, 0xbfca8b9c17aefac9ull, 0xbf9dabafdf5b2853ull, 0xbf7e404fc218f601ull,
    0xbf5b99537e664e3cull, 0xbf3accf4783bee54ull, 0xbf23388107f5c971ull, 0xbf10ac88b13c1a18ull,
    0xbef83fc0e85342bbull, 0xbee18a94b686b191ull, 0xbecf3bd8cfbf73c3ull, 0xbebf68d7f163bd39ull,
    0xbeaafbe9ff57f7f5ull, 0xbe95e12aea402568ull, 0xbe852f231bee7d1eull, 0xbfbe7d7905c19e5bull
  },
  {
    0x3f8f3ee06d16d62eull, 0x3fc5b40cb1052307ull, 0x3f8fa48e119c8948ull, 0x3f67add6eadb6c3eull,
    0x3f3e945368fcb5fdull, 0x3f152329dc70fcd4ull, 0x3ef79ba139c39d0dull, 0x3ee0ad3980e10fc3ull,
    0x3ec2e246129859f5ull, 0x3ea539209fdbf18bull, 0x3e8ee4dcd44a6c4full, 0x3e7a2cc5f81edbfdull,
    0x3e62366cc4288ca2ull, 0x3e4793076bc057cfull, 0x3e330acc79f1512eull, 0x3fb624e1c8aafbe5ull
  },
  {
    0xbf816b14508e36abull, 0xbfc2703a1adda3c6ull, 0xbf81adf02b4152d2ull, 0xbf538ac5c2bf672full,
    0xbf21f7b00529c841ull, 0xbef1c157a89a556full, 0xbecef27bfa2b85b9ull, 0xbeb1d2a6dbe463a7ull,
    0xbe8f759e41a4a581ull, 0xbe6b7bbffde3ced6ull, 0xbe505bdd6ebd0619ull, 0xbe375be738e9542eull,
    0xbe1a5509314f60aeull, 0xbdfb357d831a4645ull, 0xbde256348852d3e7ull, 0xbfb0bf4f9d4584feull
  },
  {
    0x3f74056f2f0845f2ull, 0x3fc010b3682c2b41ull, 0x3f745dd733da2f02ull, 0x3f40b36af8637200ull,
    0x3f05f7822aa44442ull, 0x3ecf24fd0d3552aeull, 0x3ea5380cf8e3dc2eull, 0x3e83f2bad2fa7bc1ull,
    0x3e5b783bc8fa8136ull, 0x3e32aa6e38e371f4ull, 0x3e122d99001bfd97ull, 0x3df5e0a053089e64ull,
    0x3dd3fb250cc53071ull, 0x3db07bccc82d611dull, 0x3d92899e96886f6eull, 0x3faa030d11b2d1bdull
  },
  {
    0xbf67819db4e62da6ull, 0xbfbc8068e8407601ull, 0xbf67f6e0315dade0ull, 0xbf2d3fd4c7d0f114ull,
    0xbeeb9eaa5978ceb0ull, 0xbeac2d8dffc421b8ull, 0xbe7e114f14a7396dull, 0xbe57186b03bc1247ull,
    0xbe28d582dc7b0370ull, 0xbdfa4444c8b0c13dull, 0xbdd4eef45d8f93c1ull, 0xbdb53cfd77173324ull,
    0xbd8f6fb0aebaa4ffull, 0xbd64b516b4bbb087ull, 0xbd436e8e449752e2ull, 0xbfa494d175a085fdull
  },
  {
    0x3f5c0794e77fa1edull, 0x3fb9a0200241b25full, 0x3f5ca363810b1ea0ull, 0x3f1a127b0f769e58ull,
    0x3ed1b9cb46035bddull, 0x3e8a17dbfb901e28ull, 0x3e55d6506662262eull, 0x3e2b6f99d37b4e90ull,
    0x3df70e631f522c7aull, 0x3dc2fd8fff0ddd4dull, 0x3d98c736ca8b2982ull, 0x3d753245dde3e7aaull,
    0x3d496d7f440ecad7ull, 0x3d1ac048c3a64e61ull, 0x3cf4f2bcd89859a4ull, 0x3fa083294ca23e8full
  },
  {
    0xbf50e91d96192977ull, 0xbfb7486d02d90398ull, 0xbf5150bc827866acull, 0xbf078de5759866a3ull,
    0xbeb71c7186a51021ull, 0xbe68991aefdacb23ull, 0xbe302adabf607a07ull, 0xbe00a08ef43a824bull,
    0xbdc5dbb7a04dee88ull, 0xbd8c0e65671c6413ull, 0xbd5df9b44073bd91ull, 0xbd359ff5435398fdull,
    0xbd0507398b37f781ull, 0xbcd1ab1d786c12d5ull, 0xbca717bcf71136eaull, 0xbf9ac894f797ee71ull
  },
  {
    0x3f4498a2490e5961ull, 0x3fb5565b6bdf231dull, 0x3f452290701e1893ull, 0x3ef580dcaa18a23aull,
    0x3e9e80a7967b1459ull, 0x3e47843ba735240bull, 0x3e084eb0d80d4c26ull, 0x3dd47ad8e4f8993bull,
    0x3d95130dd339a4c5ull, 0x3d551699972de833ull, 0x3d22746df46cf3aeull, 0x3cf675aaf2bbca7full,
    0x3cc1b4cc0081b2daull, 0x3c87c42e05e056c3ull, 0x3c59eca88950c04dull, 0x3f95e954fa96e4a6ull
  },
  {
    0xbf39479a0b21464bull, 0xbfb3badd89453946ull, 0xbf39ff4237f53b85ull, 0xbee3cbe7c8d8ac8bull,
    0xbe84548facf509e5ull, 0xbe26bce26b98940dull, 0xbde27fe64aa10ddcull, 0xbda98eac19070ed5ull,
    0xbd649a08a9cf14abull, 0xbd20145c6e7eb638ull, 0xbce70ef07bbade30ull, 0xbcb7ac9869728241ull,
    0xbc7e4484623ac000ull, 0xbc403a1e3fb3db23ull, 0xbc0d8c00ffb302bcull, 0xbf920e0a62d99afeull
  },
  {
    0x3f2f39831ddd5f90ull, 0x3fb252010b5fcc3aull, 0x3f301661d7f6e5a5ull, 0x3ed259971ad320f0ull,
    0x3e6b4f6c992d270cull, 0x3e06307ac60acdb5ull, 0x3dbc71e6f3257f94ull, 0x3d801eb2f014c580ull,
    0x3d345fe9bd847039ull, 0x3ce8d103b0052a89ull, 0x3cad2a4e595b0f34ull, 0x3c79443db3433374ull,
    0x3c3a32c0f4a41267ull, 0x3bf67129c830e2b5ull, 0x3bc10dc91a1739a4ull, 0x3f8deeb2879f46e3ull
  },
  {
    0xbf23453f81a69003ull, 0xbfb085dfb0fbde4cull, 0xbf23e6e5bc3c7b0cull, 0xbec113b640b292f9ull,
    0xbe524ef6c069994eull, 0xbde5c4a9230440c5ull, 0xbd9608e543638c54ull, 0xbd5482e9d3eb701eull,
    0xbd044b63a9b45654ull, 0xbcb353fcc6592c42ull, 0xbc72a171c077c439ull, 0xbc3b3f5970d41e29ull,
    0xbbf6e33e9fd57e75ull, 0xbbaf5ba3e0dd845cull, 0xbb73e5a9acf56fedull, 0xbf88eb58c8a449eaull
  },
  {
    0x3f17f0ceef805ddfull, 0x3faef72530fe5251ull, 0x3f18e1fc1ca120ccull, 0x3eaffe67ba558210ull,
    0x3e38dc18901279b7ull, 0x3dc56efcb2cbb55full, 0x3d71345a3d32393aull, 0x3d2a4b95cd9e39ebull,
    0x3cd44a78a2fad82cull, 0x3c7e59716b7d9992ull, 0x3c380772c6d04dceull, 0x3bfda528a5a98508ull,
    0x3bb42da3e9968538ull, 0x3b661bdb765f324dull, 0x3b2773c66e343627ull, 0x3f84ecc9e75c8c3eull
  },
  {
    0xbf10ef161cead520ull, 0xbfb37b77d9481518ull, 0xbf11934f58836e07ull, 0xbea00ee7692c5b19ull,
    0xbe2398f17261f3e9ull, 0xbda70213cde1c7aaull, 0xbd4c45a502b773f1ull, 0xbd0180839d51b5c4ull,
    0xbca646fdd2cf7ee4ull, 0xbc4933d86b6cc3ddull, 0xbc0019059bae4ee6ull, 0xbbc0a00514bb1e98ull,
    0xbb73120305124a1dull, 0xbb2054d8ddb37dc6ull, 0xbadc8e7709a177d7ull, 0xbf8265214bba194eull
  },
  {
    0x3f060a87a9d5ba09ull, 0x3fb26d79c9a2ff4aull, 0x3f06160f92240442ull, 0x3e8e555cea16d1e0ull,
    0x3e0b1a40295bed5eull, 0x3d88af65d0043d52ull, 0x3d26510a9fdf1a88ull, 0x3cd728c2c6d5f22aull,
    0x3c78f8ef5bd3a8e1ull, 0x3c14d5ef6b7fb333ull, 0x3bc4eecd08de3ea7ull, 0x3b82c7fbfb5abccfull,
    0x3b3199c724ad17a9ull, 0x3ad7f8bd6809560aull, 0x3a90b2909ef67116ull, 0x3f7cd6ed95938037ull
  }
};
// </table>
// <table sine_log double>
constexpr double sine_log_double[] = {
  -0.5411616168555691, -0.33911435399481508, -0.25101933904987409, -0.20019891498005388,
  -0.16670768388033058, -0.14286579003924255, -0.12500436316515714, -0.11107149114422695,
  -0.10045924705328764, -0.087159757011329391, -0.10514941514199809, 0.012215711807153034,
  -0.31794780622564554, 0.35957478584833179, -0.44051148758482273
};
// </table>
inline sum_parts<doubles> lgamma_log(doubles x) {
  const auto y = logarithm_parts_of(x, log_double, log_rest_double, 0.6931471805601177, -1.7239444525614835e-13);
  const doubles sum = y.high + y.f;
  return {sum, (y.f - (sum - y.high)) + y.small};
}
// lgamma of a number from 0.75 to 26, or of 1 more than a smaller one.
inline sum_parts<doubles> lgamma_piece(doubles a) {
  constexpr int count = sizeof(lgamma_double) / sizeof(lgamma_double[0]);
  const double_bits k = bits_of(a + 1.75) >> 50;
  const doubles t = a - float_of(pick(lgamma_double[0], k)), slope = float_of(pick(lgamma_double[2], k));
  doubles rest = float_of(pick(lgamma_double[count - 1], k));
  JITLAB_UNROLL
  for (int i = count - 2; i >= 3; --i) rest = fma(rest, t, float_of(pick(lgamma_double[i], k)));
  const doubles step = slope * t;
  const sum_parts<doubles> y = exact_sum(float_of(pick(lgamma_double[1], k)), step);
  return {y.sum, fma(rest, t, y.lost + fma(slope, t, -step))};
}
constexpr double stirling_series[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188};
// lgamma of a number from 26 up, by its logarithm.
inline doubles stirling(doubles a, sum_parts<doubles> log) {
  const doubles over = doubles(1.0) / a, square = over * over;
  const doubles tail = jitlab::registers::polynomial(square, stirling_series);
  const doubles factor = a - 0.5, product = factor * log.sum, sum = product - a, lost = (product - sum) - a;
  const doubles low = fma(factor, log.lost, fma(factor, log.sum, -product)) + lost;
  return sum + (low + fma(over, tail, 0.91893853320467274));
}
inline doubles distance(doubles a) { return fabs(a - ((a + 6755399441055744.0) - 6755399441055744.0)); }
struct lgamma_of_double {
  // Subnormal and enormous numbers, whole ones up to 0, and those below -26.
  static unsigned odd(doubles x) {
    const doubles a = fabs(x);
    return above(1e-300, where_below(x, doubles(0.0), distance(a), a)) | above(x, 1e15) | above(-x, 26.0);
  }
  static doubles value(doubles x) {
    const doubles a = fabs(x), one = 1.0, none = 0.0, small = 2.5;
    // As the pieces are chosen: a sum next to 2.5 is rounded.
    const doubles place = a + 1.75;
    const doubles r = where_below(x, none, distance(a), none), square = r * r;
    // The argument of the logarithm is |x| r, without |x| below 0.75 and without r above zero; it is 1 where there is none.
    const doubles size = where_below(place, small, one, where_below(x, none, a, where_below(a, doubles(26.0), one, a)));
    const doubles other = where_below(x, none, r, where_below(place, small, a, one)), argument = size * other;
    sum_parts<doubles> log = lgamma_log(argument);
    log.lost = log.lost + fma(size, other, -argument) / argument;
    const doubles far = stirling(a, log);
    // log(sin(pi r) / (pi r)), whose first term is in two words.
    const doubles step = square * -1.6449340668482264;
    const doubles curve = jitlab::registers::polynomial(square, sine_log_double) * square;
    const doubles step_low = fma(square, -1.6449340668482264, -step) + fma(fma(r, r, -square), -1.6449340668482264, square * -3.040672350398476e-17);
    const sum_parts<doubles> near = lgamma_piece(a);
    const doubles sign = with_sign(1.0, -x);
    const sum_parts<doubles> first = exact_sum(near.sum, sign * log.sum), whole = exact_sum(first.sum, step);
    const doubles low = fma(sign, log.lost, near.lost) + (first.lost + whole.lost) + fma(curve, square, step_low);
    return where_below(x, doubles(26.0), -sign * (whole.sum + low), far);
  }
  static double other(double x) { return jl::lgamma(x); }
};
JITLAB_LANES(lgamma, double, lgamma_of_double)
}  // namespace lanes
#endif
