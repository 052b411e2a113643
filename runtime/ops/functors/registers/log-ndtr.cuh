// The logarithm of ndtr, of doubles by registers: below zero -x^2 / 2 and the logarithm of a ratio, above zero -exp(-x^2 / 2) times
// another ratio, each in 16 pieces.
#if JITLAB_REGISTERS
namespace lanes {
// <table log_mills double>
alignas(64) static const unsigned long long log_mills_double[16][16] = {
  {
    0x404071efe399df81ull, 0x4044722d0e560419ull, 0x3fcffb15b573eab3ull, 0x3fe7c2d543db68b9ull,
    0x3ff83d70a3d70a3dull, 0x400404ea4a8c154dull, 0x400c20e78f7f1ccfull, 0x4011fb75d40948c6ull,
    0x401809f788f16414ull, 0x402008d72d3149ddull, 0x4023f381d7dbf488ull, 0x4027fbf8e677e053ull,
    0x402e17b043b874dfull, 0x4032f5b9d265da97ull, 0x40370154c985f06full, 0x403b0eea9073c7c0ull
  },
  {
    0xc011a6f2439e7337ull, 0xc0128599f557ba12ull, 0xbfec36ecd58afd1aull, 0xbff32e928fc62ffcull,
    0xbff9666e8f179fdbull, 0xbfff519a5e89753aull, 0xc001f5f569eeda14ull, 0xc003bb6b72e57ef4ull,
    0xc005e80f4599ad5bull, 0xc0081fce88916007ull, 0xc009d4c3aeb237baull, 0xc00b47bbbbfce3a9ull,
    0xc00d13542520189aull, 0xc00ee98652fefddeull, 0xc01039e57bb85d90ull, 0xc010df8804b9c20bull
  },
  {
    0xbf9f139ff8aa3fd8ull, 0xbf9902ff7b54ff93ull, 0xbfe6d5d172cfd5b4ull, 0xbfe2938193572648ull,
    0xbfdbeeafd6d362e7ull, 0xbfd4a45aac84ef8aull, 0xbfd007db714fd0f6ull, 0xbfca2ccbb32226c0ull,
    0xbfc44184a2600f72ull, 0xbfbf01cd8655b859ull, 0xbfb92bc6ea24cad2ull, 0xbfb50f6df06c922cull,
    0xbfb0ddf9e4ae3174ull, 0xbfaadb30da700a55ull, 0xbfa62c2a09ed8c3cull, 0xbfa2deec039c2632ull
  },
  {
    0x3f3e1fe74fdf067cull, 0x3f3386bb44ebfe2bull, 0x3fc3ffaedd0c0f74ull, 0x3fbdb11c6423fdf0ull,
    0x3fb2fbae1f2d802dull, 0x3fa6c03f7a7f0246ull, 0x3f9cf50e9cf5b25aull, 0x3f93e777829f94bdull,
    0x3f887e8240edf4ceull, 0x3f7d38a677ebbfd8ull, 0x3f736f07684ab9deull, 0x3f6b5b96221da41dull,
    0x3f61a14a1004ea27ull, 0x3f566ab9dc7cd009ull, 0x3f4e9cb26e9bbea6ull, 0x3f463254aa735f4cull
  },
  {
    0xbee36ea70289d2d3ull, 0xbed44d13106b1bc1ull, 0xbfa02ce25a4aa7f0ull, 0xbf97b69e3b5d289full,
    0xbf8c1805ef51c5b1ull, 0xbf7d3a2b1ef00143ull, 0xbf6fcbc6afceba64ull, 0xbf62e08d494bd9f1ull,
    0xbf52e9331b3ae284ull, 0xbf41dfcb79568167ull, 0xbf33a541b20e379bull, 0xbf276339e4c1e23dull,
    0xbf185d1bb8de2963ull, 0xbf08d06d899c94a2ull, 0xbefc12688671b09cull, 0xbef15be2ac7f80aaull
  },
  {
    0x3e8c26f95700ce02ull, 0x3e77b77cef11a2abull, 0x3f7313bee58d78afull, 0x3f6f58124dbbbf79ull,
    0x3f6324ba8509caceull, 0x3f52903da6afdc07ull, 0x3f41fa8db7fa4fc7ull, 0x3f32e3b743bca842ull,
    0x3f1f80d493609ba2ull, 0x3f07f6e7a57f4817ull, 0x3ef5f2465cf3cad1ull, 0x3ee634faae1eab3cull,
    0x3ed2c7fc8a97500full, 0x3ebebc587edbcae7ull, 0x3eacda8a0f0ecd1dull, 0x3e9e7696431bea7cull
  },
  {
    0xbe35b664404d6580ull, 0xbe1d84ebeff320c0ull, 0xbf2c3100abe7e8e5ull, 0xbf3a92104ed4c7f9ull,
    0xbf35b65da747f564ull, 0xbf25dee8fc1421aaull, 0xbf13cdb93e5c1a90ull, 0xbf02e63a89242e21ull,
    0xbeead84121fd23bcull, 0xbed0b219ee666322ull, 0xbeb9b0c08f287b94ull, 0xbea635042a4974d1ull,
    0xbe8ea12e95d19b9full, 0xbe74321780c73fddull, 0xbe5f849f0cd62859ull, 0xbe4c6f87d643400dull
  },
  {
    0x3de1696590098160ull, 0x3dc31d08e6914134ull, 0xbf2099708ebdb2aeull, 0xbef0cf8b53083cdfull,
    0x3f002d77e2fba1e0ull, 0x3ef673cba5594855ull, 0x3ee48491366d2c0aull, 0x3ed262d43d62c1b3ull,
    0x3eb6d3a232713edbull, 0x3e979a65e32a6abaull, 0x3e7ec57c8586fb23ull, 0x3e66d6ce52195126ull,
    0x3e49cd03d6a90688ull, 0x3e2b7f8531e5624bull, 0x3e11dd951888dd13ull, 0x3dfb9331a9cbd7f5ull
  },
  {
    0xbd8cabcd0c8a9094ull, 0xbd696db1f15989c0ull, 0x3f0723fbec3b3821ull, 0x3ef5638ca057bb01ull,
    0x3eb27a6f44caa97dull, 0xbec17fbaa140c8cfull, 0xbeb334cab6f06aa3ull, 0xbea101b5e59a48a6ull,
    0xbe83125007a3a737ull, 0xbe60b39c2ba7bbc2ull, 0xbe429d20168e6696ull, 0xbe27d9b737c60ac7ull,
    0xbe062ad82de322f5ull, 0xbde326eda0201084ull, 0xbdc4c16d3e026dffull, 0xbdab6e3adb71054cull
  },
  {
    0x3d380dadca901dc1ull, 0x3d113f36b22e478aull, 0xbed7ccc43a2f9190ull, 0xbed62514336aa715ull,
    0xbeb67e77c50622e7ull, 0x3e706393d2ae075cull, 0x3e7e0039db0ae15cull, 0x3e6d17a9e512fb40ull,
    0x3e4eea2b69496d69ull, 0x3e2772fa0d79ba4dull, 0x3e068fd0a5df5536ull, 0x3de917e67cb29fbeull,
    0x3dc3472b3296173cull, 0x3d9b1645bbd25a65ull, 0x3d78863bfff9d0f6ull, 0x3d5bc7cf1cdf96fcull
  },
  {
    0xbce47657ef830ac7ull, 0xbcb7bd176820db0cull, 0xbeadedfb649cc795ull, 0x3ea4e3f2190c07eeull,
    0x3e983fd9ce71fb8eull, 0x3e6355f11c3556cbull, 0xbe3d40e635d4faffull, 0xbe35de4d29a54566ull,
    0xbe17f71051d0fcceull, 0xbdf036e1f24aff24ull, 0xbdcb3e2543190fd8ull, 0xbdaa75b8ed62e1d3ull,
    0xbd80e297fd2adae4ull, 0xbd535a4b238f91b2ull, 0xbd2d53ebec095b5full, 0xbd0c81174a02c59dull
  },
  {
    0x3c91978aad451bdeull, 0x3c60857071959b07ull, 0x3ea497a292e72229ull, 0x3e73fa661f646c22ull,
    0xbe6fe91de1a11df5ull, 0xbe4962b5a3882962ull, 0xbdfeb9a94a2fe270ull, 0x3df9191335a9c12cull,
    0x3de168c5e42c948bull, 0x3db5ef7421250d02ull, 0x3d904f6077ef5b8eull, 0x3d6bdaf61db05335ull,
    0x3d3daf83e5f9c8bdull, 0x3d0bd82df93e09d7ull, 0x3ce1b0466abd3a73ull, 0x3cbd88330c9599b1ull
  },
  {
    0xbc3e7a433e8decbcull, 0xbc0731bdeb7bd8d1ull, 0xbe81a7eebf84e2d5ull, 0xbe6e4e38a7844da2ull,
    0x3e31c4f66c60393dull, 0x3e2478a7dd764678ull, 0x3df17fcf4e3fbe61ull, 0xbd9bc4bf679de67bull,
    0xbda6d5b375f5d973ull, 0xbd7ccb9da28c2faaull, 0xbd5348ce545c6dfeull, 0xbd2d2f143a0f5c2full,
    0xbcfa19e3c4bb30d3ull, 0xbcc41d11ac440113ull, 0xbc95779bfaee65a5ull, 0xbc6ed184c20ad966ull
  },
  {
    0x3beaa1280ee22a6eull, 0x3bb06a41c7e5afc2ull, 0x3e111fc6ec31ae2aull, 0x3e4e39380a281202ull,
    0x3e13786e8de26857ull, 0xbdf805e4246a55f9ull, 0xbdcf7c7d41480486ull, 0xbd932f535ae81ef9ull,
    0x3d689d43e9b982f6ull, 0x3d4224a172c241ebull, 0x3d166e8243e95e0cull, 0x3cee5ab1d3951f9aull,
    0x3cb6e8f455878c2aull, 0x3c7d28f93cbe751full, 0x3c4a2c179f15587bull, 0x3c202a49d58138e7ull
  },
  {
    0xbb9852eda5618df4ull, 0xbb57fd1cd90884c2ull, 0x3e42316e71106b76ull, 0xbe17e1484410b875ull,
    0xbe02e396e1187f0full, 0x3dc0aa6c7b920078ull, 0x3da572122dc5e88full, 0x3d7490f3a3f8636eull,
    0xbd1823405249a164ull, 0xbd05ddf7f9fe3e0dull, 0xbcd9ebee718cc1cdull, 0xbcafb047b54ce65cull,
    0xbc74f708026ebb86ull, 0xbc35bffffb7c504full, 0xbc00572e4e33de62ull, 0xbbd14d3864ddb63eull
  },
  {
    0x3b448c49fad8b12aull, 0x3b009572e39a25ceull, 0xbe274407d288fbd7ull, 0xbdf5d7f690d4f9a1ull,
    0x3de16d288bee4646ull, 0x3d7dbae2bf892536ull, 0xbd778321f040a642ull, 0xbd4c884ae625d139ull,
    0xbcf0a1a784308d33ull, 0x3cc7e4d61fb7e496ull, 0x3c9bfdb7c0621b6eull, 0x3c6ff8fabefc112full,
    0x3c32f29fba378257ull, 0x3beec1f87ccbb79bull, 0x3bb4145c0fda65d7ull, 0x3b82cc6866d6f63aull
  }
};
// </table>
// <table log_upper double>
alignas(64) static const unsigned long long log_upper_double[19][16] = {
  {
    0x40407f6b73a4cbb5ull, 0x404488d72d3149ddull, 0x3fcf0068db8bac71ull, 0x3fe81a59d6c455beull,
    0x3ff7cc1e098ead66ull, 0x4003e43728d2ceb6ull, 0x400c1930be0ded29ull, 0x4011fb6d1712fa67ull,
    0x4017de353f7ced91ull, 0x402005f06f694467ull, 0x4023ece2a53490baull, 0x4028091d14e3bcd3ull,
    0x402e17e4b17e4b18ull, 0x4032f46508dfea28ull, 0x403713149dd520e8ull, 0x403afd44f3078264ull
  },
  {
    0x3f88bd4405e9c46full, 0x3f83e1e2c842c721ull, 0x3fe11217b689e27dull, 0x3fd5bc6e658d7094ull,
    0x3fcb6ff56a8d0efcull, 0x3fc23a9334ad50e8ull, 0x3fbb24b87b140e17ull, 0x3fb5bac2e5d7d9faull,
    0x3fb0abb1b964837full, 0x3fa91d89ca947874ull, 0x3fa44d40fe05ab76ull, 0x3fa0e189cf9c72b4ull,
    0x3f9b0818d167f916ull, 0x3f957e295e400c97ull, 0x3f91abd18da42f52ull, 0x3f8e3b28265c502full
  },
  {
    0xbf37f2f5d5cbc886ull, 0xbf2ef272d4ab3327ull, 0xbfe14be3ad0341a5ull, 0xbfd099dca466341eull,
    0xbfbc04ae7bbbc30eull, 0xbfa84931beea42e5ull, 0xbf9b43981bd4d5f1ull, 0xbf91c65f4d715f29ull,
    0xbf853dffa11f54bbull, 0xbf785a310ed9e8c3ull, 0xbf6ffa795aa10896ull, 0xbf662c7808635389ull,
    0xbf5c7eee0bed74d7ull, 0xbf520afa9dd6d7d5ull, 0xbf486a549164b3b3ull, 0xbf41df77d89192bcull
  },
  {
    0x3ee729b5d004d829ull, 0x3ed8120a9f3a1bd7ull, 0x3fdad1be308e1c1dull, 0x3fc606233a0c49d4ull,
    0x3facbc910a2192f3ull, 0x3f90481a91745105ull, 0x3f7a4fcfd9df6674ull, 0x3f6c119a2abec82full,
    0x3f5a74128058739aull, 0x3f4749d33e8430e5ull, 0x3f38f3ccca2452beull, 0x3f2cef90649b99eaull,
    0x3f1de9625914456dull, 0x3f0e360f774aae7bull, 0x3f00d5e80c53b837ull, 0x3ef51aca279bde45ull
  },
  {
    0xbe9661db0cbcc46dull, 0xbe82b5fbe758c286ull, 0xbfd088b89bc84da3ull, 0xbfb81db0ffdd1767ull,
    0xbf9b33ad97185464ull, 0xbf7767be7a02795dull, 0xbf5963b94120ca54ull, 0xbf45836099c8eb63ull,
    0xbf301ec29adca3e3ull, 0xbf15fa10bb5b0898ull, 0xbf034b63629fc7aaull, 0xbef2c2580df82088ull,
    0xbedf441c5194744cull, 0xbec9398bde56b4a2ull, 0xbeb72cdc704b3922ull, 0xbea8e31685138f66ull
  },
  {
    0x3e459bb86435cf88ull, 0x3e2d127d3492a668ull, 0x3fc14fb63b707316ull, 0x3fa66c6ea56aaedcull,
    0x3f85f49dd4c2c6b8ull, 0x3f611d019725adebull, 0x3f3a6a0de4023d2bull, 0x3f203e8c8054d2c7ull,
    0x3f034064cb4afbbdull, 0x3ee479a1deeef5cdull, 0x3ecd93af60676be1ull, 0x3eb82b9cac40707dull,
    0x3ea045ecb111c7c6ull, 0x3e85014fba711655ull, 0x3e6fd80a62c05744ull, 0x3e5d4ed1ddb23a7full
  },
  {
    0xbdf4d79c4a18e107ull, 0xbdd6928822aa795full, 0xbfb01c7ba7778c2eull, 0xbf92b992c3187b72ull,
    0xbf6ec36a0af8341bull, 0xbf462b24af4203c3ull, 0xbf1f064c79d81102ull, 0xbef93d6f033c3869ull,
    0xbed68f4f7c199575ull, 0xbeb2d77558e70d12ull, 0xbe9679a8d3789946ull, 0xbe7ef3437b9e67a7ull,
    0xbe60debda35f907eull, 0xbe4171e82944e4e3ull, 0xbe25d6793986b4e9ull, 0xbe113bdfd9088686ull
  },
  {
    0x3da415d0af7c61edull, 0x3d8183f78a9d58caull, 0x3f9b34537c58e131ull, 0x3f7cd53cf9e10ddeull,
    0x3f545c73d9d50443ull, 0x3f26fbeaa93a4004ull, 0x3f02d78f272cc675ull, 0x3ed5fdb71568db30ull,
    0x3eaa0267df108787ull, 0x3e8121eb5885479eull, 0x3e60ef95dba9828aull, 0x3e43b220531df9acull,
    0x3e216b0a8029972cull, 0x3dfce66f9d34dd8dull, 0x3ddde5c4327b3ea4ull, 0x3dc43db1ba95745full
  },
  {
    0xbd53569aeb882280ull, 0xbd2b2ac77266e69dull, 0xbf851f8f67f156fbull, 0xbf647b977c57661dull,
    0xbf3a50e3e3e354abull, 0xbf03d5b88f59cd7full, 0xbee3d1c2e16bed04ull, 0xbeb6c1a33cbc4042ull,
    0xbe7dc2f4fc8cf45dull, 0xbe4ecc6e33f553b1ull, 0xbe2950a6160354e9ull, 0xbe08eb124ca66038ull,
    0xbde1e97b7c14ba28ull, 0xbdb7e04d45cf071cull, 0xbd946ddd0d75a7d7ull, 0xbd77bdbfae493fa6ull
  },
  {
    0x3d029a3baac38c9bull, 0x3cd50e65acbecbbcull, 0x3f6e9388ed9d0d6aull, 0x3f4b2783f2578d2aull,
    0x3f1f3febc9c7dc6cull, 0x3ee3f2985668fba0ull, 0x3ebd24b177b243ddull, 0x3e9996e2afb88773ull,
    0x3e516c4dc8dc36c4ull, 0x3e1b5fd8d98acbe1ull, 0x3df2c4d296efcc6aull, 0x3dcf573ae5da3212ull,
    0x3da258dd057db586ull, 0x3d73aca9e3bc1a39ull, 0x3d4bde6971e83542ull, 0x3d2bcf50fd195d07ull
  },
  {
    0xbcb1e0eee3800015ull, 0xbc804f77b476a21cull, 0xbf54cdab512a6e6cull, 0xbf31162440bd4bffull,
    0xbf00c544f5a6dd7dull, 0xbecb3a2c46f212c6ull, 0xbe80560d4b032755ull, 0xbe7a173748fde00cull,
    0xbe26a540938cca34ull, 0xbde8117ca6c77aedull, 0xbdbb9d0e5ecc9aa6ull, 0xbd93988190e6d963ull,
    0xbd62b8249e1d274dull, 0xbd302ba4aa13e5dcull, 0xbd02f99c8fa53f39ull, 0xbce04431043e3bd6ull
  },
  {
    0x3c612aeba44ae8dcull, 0x3c2940f97bce01b7ull, 0x3f3ac34d943c8c11ull, 0x3f146b242ae88f1eull,
    0x3ee1fb38cbf1f955ull, 0x3eae62c900748a57ull, 0xbe597c6a1ddb5ca6ull, 0x3e5387ae1b54de02ull,
    0x3e0254c9a4f5c63dull, 0x3db4f1015309d855ull, 0x3d842868d30b5b7bull, 0x3d585d8eacfd2cceull,
    0x3d2306749e19cefaull, 0x3cea8364d6551becull, 0x3cb9cb1adf44aec9ull, 0x3c9300fe0b27bc2cull
  },
  {
    0xbc107864d8ed9d51ull, 0xbbd38a07af9b2fa0ull, 0xbf206154707a369dull, 0xbef72602725b40a2ull,
    0xbec3bd610ceb4dd0ull, 0xbe800f53427bc964ull, 0xbe2c44bc8f4442c9ull, 0xbe156c3f25d3fb5full,
    0xbde27dba7108cb7eull, 0xbd820b7d9a1b7c79ull, 0xbd4d35d5073054bfull, 0xbd1e208ddef172f6ull,
    0xbce3431f7212f3ebull, 0xbca5ae3d5f8ef7d3ull, 0xbc7180010ab004d8ull, 0xbc462c4b6fada9bfull
  },
  {
    0x3bbf933c1dc19229ull, 0x3b7e37d2e98abe07ull, 0x3f032ad9bfbbcbb1ull, 0x3ed942aa3adb0aa9ull,
    0x3ea308fa86cc32daull, 0xbe2d689a6c81e6e4ull, 0x3e401a78932baf23ull, 0xbe03bbdbaf3916beull,
    0x3dc3e281de023e41ull, 0x3d4ee13728c9345eull, 0x3d15024a080bc325ull, 0x3ce285fe6fdfb03dull,
    0x3ca36dcfbd9055e9ull, 0x3c61af34036ba5beull, 0x3c27b47599a3fb84ull, 0x3bf9d64402df8421ull
  },
  {
    0xbb6e3d214ed02d86ull, 0xbb275a762255fc26ull, 0xbee57ff56cd0d687ull, 0xbeba9f3b73377066ull,
    0xbe7ffd4de36b9560ull, 0xbe32025a847dce65ull, 0xbe2702499e6297b3ull, 0x3def9e79b6467439ull,
    0xbda3753e4dd2d57eull, 0xbd1a8089a67159ebull, 0xbcde00bfd41d4afcull, 0xbca6a7a154e8cd3aull,
    0xbc63865617a6886cull, 0xbc1cc6d08167adf4ull, 0xbbe006f54a5b0416ull, 0xbbae1134baddae45ull
  },
  {
    0x3b1ce3240876f99cull, 0x3ad206779159ebb5ull, 0x3ec7350b2ccbae58ull, 0x3e9acbcb73e84886ull,
    0x3e60397acd48c973ull, 0x3e3496ce71f57181ull, 0x3df09692ffab1cc7ull, 0xbdbd07b1167c30d7ull,
    0x3d7e94e5379c9abfull, 0x3ce75a95a46e096eull, 0x3ca543d6aa440287ull, 0x3c6b8da394f7f43full,
    0x3c23827b37af8b50ull, 0x3bd75692a7843b04ull, 0x3b95a05e1d9fe9b5ull, 0x3b617802c3640407ull
  },
  {
    0xbacb9eaa0ee61d59ull, 0xba7bcc8f7dfbcf4eull, 0xbea8321e0133622dull, 0xbe7a1e924591084eull,
    0xbe41d9abf308e5c9ull, 0xbe10a9f49ddcfc15ull, 0x3de358241ce111b3ull, 0xbda31d6c8bdd87d1ull,
    0xbd4b0f0fc014ebe3ull, 0xbcb77d9cf7986739ull, 0xbc6dfe0dbff39832ull, 0xbc30a9d30a6cd3deull,
    0xbbe3664fb3c45fe2ull, 0xbb92ec50d71d82b9ull, 0xbb4d19385fb4a478ull, 0xbb144776ccddf12bull
  },
  {
    0x3a7c12c3dec5e7f5ull, 0x3a265855836bad01ull, 0x3e88b98a8d347071ull, 0x3e595f373c260b25ull,
    0x3e18fcfbb2045dd0ull, 0xbdef3afb6d21e020ull, 0xbdcc35f13418960bull, 0x3d94c6bc022f8945ull,
    0xbd22173f591d04aaull, 0x3c9586d697ab4f31ull, 0x3c35996b852f86dbull, 0x3bf48dc8774a11abull,
    0x3ba4aa668e704f68ull, 0x3b4fdcfac5c2dd76ull, 0x3b042e3df2b3250aull, 0x3ac809df3de2c36bull
  },
  {
    0xba2aba05029854d1ull, 0xb9d1bab694d6d5daull, 0xbe676208d74cf873ull, 0xbe37802a2dbe3f72ull,
    0xbde6603740c2a3f7ull, 0x3ddb2a70b903645dull, 0x3d6265ab56c24b0bull, 0xbd6fe3be55135cf8ull,
    0x3d10da1b29f3bdf4ull, 0xbc751f4fc5854ea1ull, 0xbbfc72b16ac6c7b5ull, 0xbbb92e0056c10834ull,
    0xbb6581e24f45895dull, 0xbb08b5c1925d7b27ull, 0xbabc9dfee03356f0ull, 0xba7ba5e38281e483ull
  }
};
// </table>
struct log_ndtr_of_double {
  static unsigned odd(doubles x) { return above(x, 37.0) | above(-x, 44.0); }
  static doubles value(doubles x) {
    const doubles a = fabs(x), half = 0.5 * a, square = half * a, low = fma(half, a, -square);
    const double_bits place = bits_of(a + 3.0) >> 50;
    const piece<doubles> y = piece_of(a, log_mills_double, place);
    const doubles log = fma(y.slope, y.t, y.value), log_low = fma(y.slope, y.t, y.value - log);
    const sum_parts<doubles> below = exact_sum(log, -square);
    const doubles above = sum_of(tail_of(a, half, log_upper_double, place));
    return where_below(x, doubles(0.0), below.sum + (below.lost + (log_low - low)), -above);
  }
  static double other(double x) { return jl::log_ndtr(x); }
};
JITLAB_LANES(log_ndtr, double, log_ndtr_of_double)
}  // namespace lanes
#endif
