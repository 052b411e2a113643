// Complements of registers of numbers from 0 up, as exp(-x^2) or exp(-x^2 / 2) times a ratio in pieces: of floats in eight for each
// octave of x + 1, of doubles in four for each octave of x + 1.75 or of x + 3.
#if JITLAB_REGISTERS
namespace lanes {
// <table erfcx float>
alignas(64) static const unsigned erfcx_float[7][32] = {
  {
    0x3f901e95u, 0x3fb0478bu, 0x3fd0932fu, 0x3ff02150u, 0x4007c31bu, 0x40182798u, 0x4027e18eu, 0x40383f14u,
    0x405001e9u, 0x406ff9feu, 0x4087eab3u, 0x4097c155u, 0x40a850d4u, 0x40b838efu, 0x40c7b8bbu, 0x40d7f57du,
    0x40effa44u, 0x4107ce70u, 0x4117f6fdu, 0x4127c083u, 0x41381b09u, 0x4147b924u, 0x4157de8du, 0x41683ce5u,
    0x3d813cc2u, 0x3e4067c4u, 0x3e9fe16bu, 0x3ee0e18eu, 0x3f0f8407u, 0x3f2fdfc7u, 0x3f502b25u, 0x3f6f900bu
  },
  {
    0x3eca7bd5u, 0x3eaf8fcau, 0x3e9a6c2eu, 0x3e89e302u, 0x3e78dd40u, 0x3e6198fdu, 0x3e4edcfcu, 0x3e3e4a26u,
    0x3e2a525fu, 0x3e1518fau, 0x3e0486d4u, 0x3dee8e86u, 0x3dd7e714u, 0x3dc5ce87u, 0x3db6d756u, 0x3da96419u,
    0x3d98bdaeu, 0x3d87345du, 0x3d71fbffu, 0x3d5b6c82u, 0x3d481598u, 0x3d388a9bu, 0x3d2ad0f6u, 0x3d1ed5ddu,
    0x3f6ebe91u, 0x3f51a092u, 0x3f39eb16u, 0x3f25f26au, 0x3f15fcd8u, 0x3f07f3ffu, 0x3ef81bc0u, 0x3ee43dd1u
  },
  {
    0xbe738713u, 0xbe3c567bu, 0xbe14f065u, 0xbdf17f75u, 0xbdc74630u, 0xbda59001u, 0xbd8c64f2u, 0xbd6f5183u,
    0xbd4150ffu, 0xbd1559fcu, 0xbced61c7u, 0xbcc12034u, 0xbc9eba98u, 0xbc8592e8u, 0xbc64b329u, 0xbc449d01u,
    0xbc2029a1u, 0xbbfb71d9u, 0xbbc99fccu, 0xbba5f00au, 0xbb8a13f2u, 0xbb6b0bcfu, 0xbb49793bu, 0xbb2e440au,
    0xbf815de4u, 0xbf5216c2u, 0xbf2cc0bdu, 0xbf0f1722u, 0xbef1648eu, 0xbecc2060u, 0xbeae3a31u, 0xbe968ea5u
  },
  {
    0x3e02c56cu, 0x3db77eb1u, 0x3d844cdbu, 0x3d44fc57u, 0x3d1605e2u, 0x3ce65624u, 0x3cb5cf0eu, 0x3c9064bfu,
    0x3c53f19du, 0x3c1181ccu, 0x3bcfd43fu, 0x3b996d51u, 0x3b65be0au, 0x3b31fde8u, 0x3b0d6117u, 0x3ae1ecc6u,
    0x3aa68f31u, 0x3a6847e1u, 0x3a271b99u, 0x39f9e173u, 0x39bde0d8u, 0x39953827u, 0x396cfef2u, 0x393ec032u,
    0x3f5e6ac5u, 0x3f2a26fdu, 0x3f03f928u, 0x3ece327du, 0x3ea4a602u, 0x3e83ab6bu, 0x3e54de33u, 0x3e2eb3dbu
  },
  {
    0xbd8061efu, 0xbd254a54u, 0xbcdb73a6u, 0xbc97430bu, 0xbc562725u, 0xbc18db95u, 0xbbe1c74bu, 0xbba7dd2bu,
    0xbb611e6cu, 0xbb0a2648u, 0xbab21d29u, 0xba6f7495u, 0xba23c5d4u, 0xb9ea21b5u, 0xb9acd89fu, 0xb9808a3eu,
    0xb92bd169u, 0xb8d53475u, 0xb889c7cau, 0xb83b559cu, 0xb8021569u, 0xb7bce153u, 0xb78b0535u, 0xb7504ffdu,
    0xbf2321b5u, 0xbeed7d83u, 0xbeaf63aeu, 0xbe8268c1u, 0xbe46c95eu, 0xbe178ed0u, 0xbde9cfe0u, 0xbdb78186u
  },
  {
    0x3ceac6a8u, 0x3c8bc37bu, 0x3c2c0a57u, 0x3bdce6e9u, 0x3b921b34u, 0x3b42dfd0u, 0x3b07335au, 0x3abce5e0u,
    0x3a695857u, 0x3a008a9eu, 0x39961631u, 0x39383237u, 0x38e6ac42u, 0x38986257u, 0x38516253u, 0x38111976u,
    0x37b0bb0bu, 0x37433abau, 0x36e2c4aau, 0x368c36f9u, 0x363200a1u, 0x35eeccfeu, 0x35a2ef55u, 0x35634c07u,
    0x3ed474a2u, 0x3e940e4bu, 0x3e517603u, 0x3e151abeu, 0x3dda1ba5u, 0x3d9f63eau, 0x3d6bd8d8u, 0x3d31d916u
  },
  {
    0xbc490e2fu, 0xbbdf62e0u, 0xbb80c0aeu, 0xbb19d6b7u, 0xbabd9eb8u, 0xba6f93fdu, 0xba1bc49du, 0xb9cec834u,
    0xb96a3f4cu, 0xb8e8cbd8u, 0xb876ab9fu, 0xb80a084fu, 0xb7a1301eu, 0xb744aaf7u, 0xb6f8f15au, 0xb6a1e3ceu,
    0xb633643eu, 0xb5afc1efu, 0xb538dc53u, 0xb4cef7e4u, 0xb472d6d1u, 0xb4153366u, 0xb3bd958eu, 0xb3785763u,
    0xbe7b0d6eu, 0xbe2827c7u, 0xbde4802du, 0xbd9d2900u, 0xbd5b9859u, 0xbd1af5c5u, 0xbcdd590du, 0xbca0243fu
  }
};
// </table>
// <table erfcx double>
alignas(64) static const unsigned long long erfcx_double[16][16] = {
  {
    0x3fe01fcff0b550f7ull, 0x3ff00bac710cb296ull, 0x3ff82038cc40fd68ull, 0x4000061363427de2ull,
    0x400616aa1edb45c5ull, 0x400e24cbb52e0301ull, 0x4013066ac4e18d96ull, 0x401707ae147ae148ull,
    0x401d14af4f0d844dull, 0x40228e677e053032ull, 0x4026739351c89145ull, 0x402a8ae376eba813ull,
    0x40303ad88ab7c61cull, 0x403434c52775483aull, 0x40385288ce703afbull, 0x3fbecc86e51a59d7ull
  },
  {
    0x3fe3a37844530e1dull, 0x3fdb50cad7ba4f25ull, 0x3fd47fd7ed900f69ull, 0x3fd05337c4d7ab14ull,
    0x3fc8b3110b3608f0ull, 0x3fc28d508632893eull, 0x3fbdbc5f9ed383cbull, 0x3fb8b93a677d1277ull,
    0x3fb3aefcb37c854bull, 0x3faef4c8f770e1a2ull, 0x3fa9a1a98fa38070ull, 0x3fa5b4763dda0ed8ull,
    0x3fa1c3c7ed5c8363ull, 0x3f9c8e9337fc1ad8ull, 0x3f97bba4ae91c281ull, 0x3fec148c74c2289cull
  },
  {
    0xbfe0512a68d73b3dull, 0xbfd16debafa384fbull, 0xbfc4ca891cb3ec19ull, 0xbfbb46c8e6824f01ull,
    0xbfb013d2dba15419ull, 0xbfa280d7cb6e47eaull, 0xbf98020045c76a29ull, 0xbf90b1948672d584ull,
    0xbf85448d09a774efull, 0xbf7a63eb795ef81dull, 0xbf721fc40137c045ull, 0xbf6a056e8d41e3f5ull,
    0xbf61728233f97227ull, 0xbf568eb4654c9d7full, 0xbf4f2c05f6ebdfe7ull, 0xbfed59ff5d880a7full
  },
  {
    0x3fd6d554ce14aeb4ull, 0x3fc3ac4f7a84883bull, 0x3fb34c069f1c5185ull, 0x3fa5552c2a42bb95ull,
    0x3f9408474d42c8dfull, 0x3f81f3f7a99f7b46ull, 0x3f7305e572fc8bc9ull, 0x3f663e3295f90d4dull,
    0x3f56c761ca4d79a2ull, 0x3f465fa47e654ffbull, 0x3f39886e58a52293ull, 0x3f2f1c0717773576ull,
    0x3f211a8044e29d43ull, 0x3f11cbfa64cca7c0ull, 0x3f047443cc1599ccull, 0x3fe88c8d58ed7d24ull
  },
  {
    0xbfcc2bf480fe0c3bull, 0xbfb42c3c8909c476ull, 0xbfa0a58fa6c0584cull, 0xbf8f880fb668a969ull,
    0xbf77ff66ecc515b9ull, 0xbf60fa73da60d157ull, 0xbf4d9d3880fdce2bull, 0xbf3d4197dbf21c28ull,
    0xbf2830806d073505ull, 0xbf12dd7a8ffa1b78ull, 0xbf01eac3e91ff88bull, 0xbef28b98645c3301ull,
    0xbee0bc42b5a57f46ull, 0xbecc0c3d88c46db7ull, 0xbebad206e68231a2ull, 0xbfe19946934a11cdull
  },
  {
    0x3fbf78adb68e7083ull, 0x3fa31daa984de59cull, 0x3f8afc5f19a2a100ull, 0x3f762c9ec611a69aull,
    0x3f5bbd8afe0e69a5ull, 0x3f3f5a5359f0ea7bull, 0x3f26a9b9ccec7d48ull, 0x3f13007ef47d92dfull,
    0x3ef97952474fa3e5ull, 0x3edfa4bd94b8b262ull, 0x3ec90d27e0240841ull, 0x3eb60cf2e9c39eacull,
    0x3ea0584f670beef9ull, 0x3e86133d631acba1ull, 0x3e7191c3e1d65077ull, 0x3fd66e87a9729311ull
  },
  {
    0xbfb031b6b20625e2ull, 0xbf90f0b00b9bd219ull, 0xbf74b779220b4e19ull, 0xbf5dd6777a66533bull,
    0xbf3f093d5253efccull, 0xbf1c4de8b427c71bull, 0xbf0110865110d6d4ull, 0xbee86351f62c2d46ull,
    0xbeca9bd90eaff4d2ull, 0xbeaa661c09419379ull, 0xbe9172c70da42d01ull, 0xbe7a25c6d323df41ull,
    0xbe5fde60b23e9f03ull, 0xbe415a80d1bb6b31ull, 0xbe26ffd821df67deull, 0xbfc9ffbde225ff23ull
  },
  {
    0x3f9f14f6a19644b5ull, 0x3f7c530c2130c8beull, 0x3f5e4fc0046ecf4cull, 0x3f4349eca6ddfa9aull,
    0x3f20d88ea12c113bull, 0x3ef903f1eeead4d4ull, 0x3ed94d6d1e3fda47ull, 0x3ebef02329e4db5cull,
    0x3e9b92ddb395e952ull, 0x3e75e8c15aa2c607ull, 0x3e58376d29fe5bf1ull, 0x3e3eec328b4025b7ull,
    0x3e1f02e4ffb009c6ull, 0x3dfb4043718678b8ull, 0x3dde1523d7e77eacull, 0x3fbbd2e10d4c5c26ull
  },
  {
    0xbf8c10d7859912a0ull, 0xbf667d2a1a66d912ull, 0xbf453c20ccfb22aaull, 0xbf280bed19b2ab67ull,
    0xbf01c840b0d7ef8bull, 0xbed5ab2ea7272c4dull, 0xbeb27b3c3a5db176ull, 0xbe936747d0506349ull,
    0xbe6c5a177badc211ull, 0xbe4217140469ee29ull, 0xbe20be79b4012dcaull, 0xbe023c7a8300933dull,
    0xbdde1f491f653eb5ull, 0xbdb55f0da87e7bcfull, 0xbd93a844ae7e9ad0ull, 0xbfabcce18930e7b1ull
  },
  {
    0x3f7802cd5c7fc1fcull, 0x3f510c42d9f98c24ull, 0x3f2c9a8b2c267626ull, 0x3f0cfd952de5873aull,
    0x3ee2492759267844ull, 0x3eb26a2e847b029aull, 0x3e8a9d60631b2edeull, 0x3e6812dd1145b9e7ull,
    0x3e3cee4a248003e0ull, 0x3e0db91f63067b9aull, 0x3de712536633d270ull, 0x3dc573d272a606c7ull,
    0x3d9d34ac562c5950ull, 0x3d70bd85e2828f2bull, 0x3d49ab2e8f1d5170ull, 0x3f9a26c4e19b09f8ull
  },
  {
    0xbf6391f82b1948c9ull, 0xbf38c890c2ce51d5ull, 0xbf1294eeb76b7c38ull, 0xbef0f11f40715d28ull,
    0xbec258f4a89622bcull, 0xbe8ebc325155f235ull, 0xbe62e6cd7cab6258ull, 0xbe3d8d7066f490faull,
    0xbe0d4d72af283e2aull, 0xbdd84c1820beef98ull, 0xbdafad69a4df869aull, 0xbd892b750a9ae704ull,
    0xbd5c443f0e3371aeull, 0xbd2a31dc0a5bf772ull, 0xbd00bed2632883d6ull, 0xbf87502516eda22bull
  },
  {
    0x3f4e876058bf5e76ull, 0x3f2155c5c0b4ee04ull, 0x3ef759d65f9d49fcull, 0x3ed33cd9b6bb694full,
    0x3ea1fd093f0b30ebull, 0x3e69354672a87a5full, 0x3e3a7e43de93f0aeull, 0x3e11f3f189e460feull,
    0x3ddd76a7df399b62ull, 0x3da3c3cbdbdcb745ull, 0x3d75ab858f8a1e9bull, 0x3d4d745bed8706ffull,
    0x3d1b4edfbd3c7791ull, 0x3ce4785364f4a94eull, 0x3cb5d497ccf8621bull, 0x3f73cc9b394a9bf6ull
  },
  {
    0xbf36dda92530dfa8ull, 0xbf0766b3de689cd1ull, 0xbedc7203f4a05f98ull, 0xbeb54291b8e1fb9bull,
    0xbe813d3bc93575beull, 0xbe44533e5849bdb2ull, 0xbe125365c875ca2full, 0xbde597711b16c353ull,
    0xbdad61022abd8ff3ull, 0xbd6ffbf08fc18d3eull, 0xbd3d89c55c2ed308ull, 0xbd11300313ff6551ull,
    0xbcda4ef94285427eull, 0xbc9ff12a5cf33dd4ull, 0xbc6c6e1ed7eba709ull, 0xbf6016a3fd58a055ull
  },
  {
    0x3f2080109ec4ed1cull, 0x3eee91174e3ab33bull, 0x3ec0d35efc5bc489ull, 0x3e96e7825895f26dull,
    0x3e602c4d5e9dd975ull, 0x3e201cf8d7cf0c07ull, 0x3de909d3f904d812ull, 0x3db9b66c5d59f122ull,
    0x3d7d13566ec3fa2full, 0x3d39bc886fbaba44ull, 0x3d041447393450cbull, 0x3cd400d138066e36ull,
    0x3c99588f2cf38ae4ull, 0x3c58ec974fbc65a1ull, 0x3c227c42c4cc44e1ull, 0x3f491c9b426b7bb2ull
  },
  {
    0xbf0797ca8a4414f6ull, 0xbed3c3ed89118279ull, 0xbea3b6c2e61314bbull, 0xbe787127de4be4c9ull,
    0xbe3f30e5579c632bull, 0xbdfa0aa01a4819b8ull, 0xbdc153d2dab443f8ull, 0xbd8eea5b0e1d8ecaull,
    0xbd4e3bd4776233b3ull, 0xbd0564cf3261a1d9ull, 0xbccbd9aaffa61ea3ull, 0xbc97aa9af8cb8987ull,
    0xbc599e82126a9568ull, 0xbc140b4e0b55ffd3ull, 0xbbd89c84d71843edull, 0xbf32ffbdf2e04d3bull
  },
  {
    0x3ef0333cc219be2aull, 0x3eb8999e68fd9a7cull, 0x3e86cdd6d56f93ecull, 0x3e596262b3f885c7ull,
    0x3e1d2646d0b7bf5full, 0x3dd50c89be533f86ull, 0x3d97747e6a836002ull, 0x3d6257b98c434206ull,
    0x3d1e983c751d012bull, 0x3cd1c3d751fdfb68ull, 0x3c9244700be65f70ull, 0x3c5c0373ecc01b27ull,
    0x3c182a27ae2728bdull, 0x3bce46bc9c7985cbull, 0x3b90acd9af564dbbull, 0x3f1af2f132fbf881ull
  }
};
// </table>
// <table mills float>
alignas(64) static const unsigned mills_float[7][32] = {
  {
    0x3f8f761au, 0x3faf7b90u, 0x3fd00419u, 0x3fefe053u, 0x4007ce2au, 0x40184fdfu, 0x4027b47fu, 0x4037d3e6u,
    0x404fa629u, 0x4070511au, 0x4087b322u, 0x40981988u, 0x40a831b3u, 0x40b7bdebu, 0x40c7ae5au, 0x40d7c3edu,
    0x40f06b51u, 0x41084c0du, 0x41183611u, 0x4128240bu, 0x4137d3e6u, 0x41483104u, 0x41580d84u, 0x41683284u,
    0x3d82fec5u, 0x3e41351du, 0x3ea01435u, 0x3ee07224u, 0x3f102de0u, 0x3f3035cbu, 0x3f502268u, 0x3f6fd220u
  },
  {
    0x3e7bc008u, 0x3e5f46c4u, 0x3e47b173u, 0x3e3496f0u, 0x3e249d2cu, 0x3e168af9u, 0x3e0b4bbfu, 0x3e011619u,
    0x3de8b090u, 0x3dcca3acu, 0x3db7607cu, 0x3da51f73u, 0x3d965748u, 0x3d8a51deu, 0x3d7f9ac4u, 0x3d6d55b9u,
    0x3d55d4cdu, 0x3d3d487fu, 0x3d29ee1fu, 0x3d1a1fafu, 0x3d0d2c12u, 0x3d01c819u, 0x3cf0b807u, 0x3ce02488u,
    0x3ef37106u, 0x3edd9900u, 0x3ecad6b8u, 0x3eba509du, 0x3eabfcfeu, 0x3e9f6066u, 0x3e9447a9u, 0x3e8a80d8u
  },
  {
    0xbdfcb704u, 0xbdccd414u, 0xbda7fb28u, 0xbd8c2c04u, 0xbd6cda12u, 0xbd48f98fu, 0xbd2e074eu, 0xbd16f6fcu,
    0xbcf845d7u, 0xbcc27e3du, 0xbc9d9c53u, 0xbc80be18u, 0xbc56a76fu, 0xbc367c6du, 0xbc1c58c7u, 0xbc0730e7u,
    0xbbdc4175u, 0xbbad2b1bu, 0xbb8be772u, 0xbb6696e4u, 0xbb41b9c9u, 0xbb23e7f3u, 0xbb0d1720u, 0xbaf4d3a9u,
    0xbebcaff4u, 0xbea27295u, 0xbe8cd70fu, 0xbe752ab8u, 0xbe56ca12u, 0xbe3d1cccu, 0xbe276805u, 0xbe150462u
  },
  {
    0x3d5c425du, 0x3d25bdd1u, 0x3cfccabeu, 0x3cc4fc0bu, 0x3c9bddb4u, 0x3c77c0bau, 0x3c4a523bu, 0x3c2574aau,
    0x3bfa775eu, 0x3bb07d91u, 0x3b824840u, 0x3b424083u, 0x3b14fba9u, 0x3aeaf151u, 0x3abb3c83u, 0x3a972a54u,
    0x3a5f6304u, 0x3a1c79d7u, 0x39e40bbfu, 0x39ab0c95u, 0x3983fa48u, 0x394dc05fu, 0x392486e4u, 0x390519c2u,
    0x3e675f5fu, 0x3e3ef278u, 0x3e1ecdf3u, 0x3e0493f0u, 0x3ddf01d3u, 0x3dbc9541u, 0x3da0744du, 0x3d896848u
  },
  {
    0xbcac60c4u, 0xbc733e8eu, 0xbc2e11f6u, 0xbbff6049u, 0xbbbe9df6u, 0xbb8ed9fcu, 0xbb5d458du, 0xbb2b7e16u,
    0xbaf09926u, 0xba99acf1u, 0xba4fe896u, 0xba0e2e8du, 0xb9c97786u, 0xb993d142u, 0xb95bc494u, 0xb9260e05u,
    0xb8df3929u, 0xb88bb5a2u, 0xb83809b8u, 0xb7fbafcau, 0xb7b29299u, 0xb7805f4eu, 0xb73ede48u, 0xb71011e1u,
    0xbdf1b771u, 0xbdc093f9u, 0xbd9aafa6u, 0xbd7965ddu, 0xbd4aa766u, 0xbd259ce0u, 0xbd083d4eu, 0xbce1bf85u
  },
  {
    0x3bf7d1e0u, 0x3ba50bd5u, 0x3b5f11e3u, 0x3b1ae96fu, 0x3adb48beu, 0x3a9bba62u, 0x3a65ba7fu, 0x3a296bcbu,
    0x39de1062u, 0x3981506eu, 0x392108b2u, 0x38cadcabu, 0x388532dbu, 0x383659e6u, 0x37fd7725u, 0x37b397abu,
    0x375ceb6eu, 0x36f786e8u, 0x36938ef9u, 0x3638288au, 0x35f07c0fu, 0x359f8c48u, 0x355ca856u, 0x351b7815u,
    0x3d5fd19cu, 0x3d2ce8b4u, 0x3d06b808u, 0x3cd2a232u, 0x3ca60bd5u, 0x3c83aa6du, 0x3c524397u, 0x3c292ac9u
  },
  {
    0xbb242380u, 0xbacf9718u, 0xba85f8eau, 0xba30b710u, 0xb9ed97e0u, 0xb9a229fdu, 0xb96207b0u, 0xb91f8b49u,
    0xb8c3266fu, 0xb852ac83u, 0xb7ef6930u, 0xb78d082cu, 0xb72c9b1cu, 0xb6dab92fu, 0xb68e55b1u, 0xb63df24au,
    0xb5d85b6au, 0xb55a34c8u, 0xb4eb398bu, 0xb485e0e4u, 0xb41fc93cu, 0xb3c5b1e1u, 0xb37db570u, 0xb3277d4eu,
    0xbcbc4fabu, 0xbc8d6d9au, 0xbc5604acu, 0xbc22f581u, 0xbbf9ed13u, 0xbbc0e50cu, 0xbb95d98bu, 0xbb6a5554u
  }
};
// </table>
// <table mills double>
alignas(64) static const unsigned long long mills_double[16][16] = {
  {
    0x40407f6b73a4cbb5ull, 0x404488d72d3149ddull, 0x3fd02a9930be0dedull, 0x3fe7e1b089a02752ull,
    0x3ff7c083126e978dull, 0x4004044d013a92a3ull, 0x400bf2f608770e9cull, 0x4011fa0f9096bb99ull,
    0x4017f381d7dbf488ull, 0x40200ea4a8c154caull, 0x4023ece2a53490baull, 0x4028091d14e3bcd3ull,
    0x402e17e4b17e4b18ull, 0x4032f46508dfea28ull, 0x403713149dd520e8ull, 0x403afd44f3078264ull
  },
  {
    0x3f88bd4405e9c46full, 0x3f83e1e2c842c721ull, 0x3fda72ef8e1921cdull, 0x3fd3418fcb87beedull,
    0x3fca8526097009bcull, 0x3fc214021a507f35ull, 0x3fbb449b94760893ull, 0x3fb5bc44cfc954caull,
    0x3fb09d99dfcd9286ull, 0x3fa9105144e7706dull, 0x3fa44d40fe05ab76ull, 0x3fa0e189cf9c72b4ull,
    0x3f9b0818d167f916ull, 0x3f957e295e400c97ull, 0x3f91abd18da42f52ull, 0x3f8e3b28265c502full
  },
  {
    0xbf37f2f5d5cbc887ull, 0xbf2ef272d4ab3327ull, 0xbfd2d9ee942f3f08ull, 0xbfc652ad4627483bull,
    0xbfb7641961e32f0dull, 0xbfa7533485dbb199ull, 0xbf9b7596f5b42adbull, 0xbf91c893ef3f074full,
    0xbf851af34a5ccb61ull, 0xbf7840ee0d5288c2ull, 0xbf6ffa795aa10896ull, 0xbf662c7808635389ull,
    0xbf5c7eee0bed74d7ull, 0xbf520afa9dd6d7d5ull, 0xbf486a549164b3b3ull, 0xbf41df77d89192bcull
  },
  {
    0x3ee729b5d004d829ull, 0x3ed8120a9f3a1bd7ull, 0x3fc5afe7c5224ac3ull, 0x3fb5da4293934d3full,
    0x3fa250f6c710bdd6ull, 0x3f8be6f5f7d63a87ull, 0x3f7a473e823e8beaull, 0x3f6c1384d5cb7929ull,
    0x3f5a3416fb68f2bdull, 0x3f472619be4c7362ull, 0x3f38f3ccca2452beull, 0x3f2cef90649b99eaull,
    0x3f1de96259144579ull, 0x3f0e360f774aae7aull, 0x3f00d5e80c53b838ull, 0x3ef51aca279bde45ull
  },
  {
    0xbe9661db0cbcc1a5ull, 0xbe82b5fbe758c25aull, 0xbfb57ba293f6c334ull, 0xbfa2e43cffce0eeaull,
    0xbf8a1f3de0646de5ull, 0xbf6f508ed218e80eull, 0xbf580a7217b6f512ull, 0xbf45734cfec34d37ull,
    0xbf2fd7bdb31f8a99ull, 0xbf15cdba7bfe9c2bull, 0xbf034b63629fc797ull, 0xbef2c2580df82085ull,
    0xbedf441c51946c91ull, 0xbec9398bde56b433ull, 0xbeb72cdc704b3917ull, 0xbea8e31685138f64ull
  },
  {
    0x3e459bb86435ce73ull, 0x3e2d127d3492a30eull, 0x3fa2f94d2b544d9eull, 0x3f8d9b3c49d4ae81ull,
    0x3f713e52a2a5f2b7ull, 0x3f50a0ce8f41cabaull, 0x3f351f99a2fec3d3ull, 0x3f1fce24b0fa9a5bull,
    0x3f02f5b92d076138ull, 0x3ee446adc7244915ull, 0x3ecd93af60676efdull, 0x3eb82b9cac40703dull,
    0x3ea045ecb11193a4ull, 0x3e85014fba711b2bull, 0x3e6fd80a62c05581ull, 0x3e5d4ed1ddb23a88ull
  },
  {
    0xbdf4d79c4a23fc37ull, 0xbdd6928822abd5eaull, 0xbf8e89da4669e36dull, 0xbf75636d887330deull,
    0xbf5551231105ca48ull, 0xbf30d1ba39f865e9ull, 0xbf11e47d0c26439bull, 0xbef6ee63719f50deull,
    0xbed62624a0c763beull, 0xbeb29fe8ec98be76ull, 0xbe9679a8d379394full, 0xbe7ef3437b9e9aecull,
    0xbe60debda36ef9a2ull, 0xbe4171e82946a46cull, 0xbe25d6793987079full, 0xbe113bdfd908963cull
  },
  {
    0x3da415d0af83807cull, 0x3d8183f78aa55be5ull, 0x3f76ba2383e34f59ull, 0x3f5cd57080651099ull,
    0x3f38e2c7e7f734cbull, 0x3f10493e9be24e09ull, 0x3eed4fcdf472642cull, 0x3ed01bea69f34f1bull,
    0x3ea968238256aed2ull, 0x3e80e7b822a35916ull, 0x3e60ef95dba2aab5ull, 0x3e43b220531f267bull,
    0x3e216b0a80a5d32full, 0x3dfce66f9d205388ull, 0x3ddde5c432836845ull, 0x3dc43db1ba955662ull
  },
  {
    0xbd53569adae486a2ull, 0xbd2b2ac76e52b67aull, 0xbf5f9ee1c7c8daacull, 0xbf424bb2b379f8c4ull,
    0xbf1b9d3698a4d18dull, 0xbeee51311d364fdeull, 0xbec74710fc8f1163ull, 0xbea616b01d8217d1ull,
    0xbe7ca42f705c96d3ull, 0xbe4e564a368dba22ull, 0xbe2950a61418e6c5ull, 0xbe08eb124c0c96e4ull,
    0xbde1e97b650395fbull, 0xbdb7e04d40846d74ull, 0xbd946ddd0c7ba6aeull, 0xbd77bdbfadeaf242ull
  },
  {
    0x3d029a3b9e1bb027ull, 0x3cd50e659c4ef3c4ull, 0x3f44baf2697f3199ull, 0x3f2601b7b09c69b8ull,
    0x3efd46707b647139ull, 0x3ecb3756c34d3548ull, 0x3ea1f6366cc0afc3ull, 0x3e7d9a06dea83496ull,
    0x3e4fc17262b50de9ull, 0x3e1aeb1238f068b9ull, 0x3df2c4d2a38cfa74ull, 0x3dcf573ae11ac96aull,
    0x3da258dc866ff34bull, 0x3d73aca9f5bfecf0ull, 0x3d4bde6961c5e585ull, 0x3d2bcf50fd637967ull
  },
  {
    0xbcb1e0fabeede1beull, 0xbc804f7a9da0118full, 0xbf29c7a8cdd1bfbeull, 0xbf0939ef1f7d0d0eull,
    0xbeddc6e063bb9fe9ull, 0xbea7a1b3d3461f71ull, 0xbe7afc460410b3fcull, 0xbe53690a97381c3cull,
    0xbe21539fae9462c3ull, 0xbde7a09cf8b505c5ull, 0xbdbb9d112df447acull, 0xbd9398826cc1a2e6ull,
    0xbd62b835133c7b03ull, 0xbd302ba87b812665ull, 0xbd02f99df9738bc9ull, 0xbce044318afd3c9bull
  },
  {
    0x3c612af590a033c5ull, 0x3c29410a335b1830ull, 0x3f0e904ae58def32ull, 0x3eebae1f66bcf817ull,
    0x3ebd288594083539ull, 0x3e83e4ffe249850full, 0x3e53c44bab917075ull, 0x3e28f0332ef9cebaull,
    0x3df29ed5b263fecfull, 0x3db485a5c0ce0398ull, 0x3d84285de53a45a0ull, 0x3d585d93689d07adull,
    0x3d2306b4fbe5b835ull, 0x3cea83568a4682c1ull, 0x3cb9cb2a7af7aa26ull, 0x3c9300fdff97bbd1ull
  },
  {
    0xbc107410dbe23005ull, 0xbbd387e5dad41b94ull, 0xbef15806eddb339dull, 0xbecd2dd55d6d2449ull,
    0xbe9b8d71f1a356c5ull, 0xbe6043ef59067215ull, 0xbe2c459d85f3bcebull, 0xbdff6aaeb71fb9f7ull,
    0xbdc3b191b5d78095ull, 0xbd81a1e77a4e4bb2ull, 0xbd4d33b55c1334e5ull, 0xbd1e1f4b0aeafe4full,
    0xbce33d18ab99b230ull, 0xbca5ab68eb1dc249ull, 0xbc717ef2f6e80edaull, 0xbc462b85e5fdd506ull
  },
  {
    0x3bbf8b7c8593cb25ull, 0x3b7e2f29c9b9af95ull, 0x3ed2e965d8392d4eull, 0x3eada65d59ce49e7ull,
    0x3e7942c7e3afa092ull, 0x3e39e51bd3eae695ull, 0x3e03c7f3bd6ac14full, 0x3dd36e7ce375a62full,
    0x3d94965373e9ad39ull, 0x3d4df96264a4010bull, 0x3d15067b04267b73ull, 0x3ce2839d18ea6ddcull,
    0x3ca35d3b504d72abull, 0x3c61b161da91eb3full, 0x3c27acfd456645deull, 0x3bf9d5f089b8f7e3ull
  },
  {
    0xbb6fcc1b011790c1ull, 0xbb282043d6abb426ull, 0xbeb4269b0c207a09ull, 0xbe8d74b03332890eull,
    0xbe57496973a50a3cull, 0xbe14bc61b1a5133eull, 0xbddbbe9e57439f7cull, 0xbda81027cd1ed51aull,
    0xbd666c517d83ac39ull, 0xbd1a4824f533a8a7ull, 0xbcdecd0a5373fa4aull, 0xbca71d104adbdb17ull,
    0xbc649d6cbe29bd56ull, 0xbc1dd0a3a9974da1ull, 0xbbe06b3ac1bdd85eull, 0xbbaea08c44046e64ull
  },
  {
    0x3b1e5d4f654fc7b5ull, 0x3ad314196bf37ed3ull, 0x3e94a09c7386d73bull, 0x3e6ba8b9074e3665ull,
    0x3e332ee5244479b7ull, 0x3def8d267e6d1628ull, 0x3db254918a6c0612ull, 0x3d7c630722b4904eull,
    0x3d36492d4dc660e4ull, 0x3ce6e0fde79a797full, 0x3ca4defe08c4d2b1ull, 0x3c6ca6e943c9910eull,
    0x3c258171c0c86660ull, 0x3bd7710378b6676cull, 0x3b972dfe4896b714ull, 0x3b61b3797710b7eeull
  }
};
// </table>
// <table powers_low float>
alignas(64) static const unsigned powers_low_float[16] = {
    0xbbcc8136u, 0xbbcc815eu, 0xbbcc8132u, 0xbbcc811du, 0xbbcc811bu, 0xbbcc8144u, 0xbbcc8164u, 0xbbcc815bu,
    0xbbcc815au, 0xbbcc815cu, 0xbbcc8154u, 0xbbcc8141u, 0xbbcc8136u, 0xbbcc8153u, 0xbbcc8126u, 0xbbcc8137u
};
// </table>
// <table powers_low double>
alignas(64) static const unsigned long long powers_low_double[16] = {
    0xbf79e8ea3c2620bbull, 0xbf79e8ea3c2620e9ull, 0xbf79e8ea3c2620adull, 0xbf79e8ea3c2620c1ull,
    0xbf79e8ea3c2620bfull, 0xbf79e8ea3c2620ccull, 0xbf79e8ea3c2620cfull, 0xbf79e8ea3c2620caull,
    0xbf79e8ea3c2620d1ull, 0xbf79e8ea3c2620ebull, 0xbf79e8ea3c2620d9ull, 0xbf79e8ea3c2620e5ull,
    0xbf79e8ea3c2620ceull, 0xbf79e8ea3c2620dbull, 0xbf79e8ea3c2620c2ull, 0xbf79e8ea3c2620d0ull
};
// </table>
// What is left of exp(r) - 1, with what makes the power of k exact.
inline floats power_rest(float_bits k, floats r) {
  return jitlab::registers::polynomial_from(float_of(pick(powers_low_float, k)), r, powers_rest_float);
}
inline doubles power_rest(double_bits k, doubles r) {
  return jitlab::registers::polynomial_from(float_of(pick(powers_low_double, k)), r, powers_rest_double);
}
// q (1 + w) + lost.
template <typename V> struct tail_parts { V q, lost, w; };
// exp(-a factor) times the piece `place` of a ratio.
template <typename V, typename T, typename B, int N, int M>
inline tail_parts<V> tail_of(V a, V factor, const T (&ratio)[N][M], B place) {
  const V high = factor * a, low = fma(factor, a, -high);
  const piece<V> y = piece_of(a, ratio, place);
  const V share = fma(y.slope, y.t, y.value), share_low = fma(y.slope, y.t, y.value - share);
  const auto power = power_parts_of(-high);
  const V s = power_of(power.k), q = s * share;
  return {q, fma(s, share_low, fma(s, share, -q)), power_rest(power.k, power.r - low)};
}
inline tail_parts<floats> erfc_parts(floats a) { return tail_of(a, a, erfcx_float, bits_of(a + 1.0f) >> 20); }
inline tail_parts<doubles> erfc_parts(doubles a) { return tail_of(a, a, erfcx_double, bits_of(a + 1.75) >> 50); }
inline tail_parts<floats> normal_parts(floats a) { return tail_of(a, 0.5f * a, mills_float, bits_of(a + 1.0f) >> 20); }
inline tail_parts<doubles> normal_parts(doubles a) { return tail_of(a, 0.5 * a, mills_double, bits_of(a + 3.0) >> 50); }
template <typename V> inline V sum_of(tail_parts<V> y) { return y.q + fma(y.q, y.w, y.lost); }
}  // namespace lanes
#endif
