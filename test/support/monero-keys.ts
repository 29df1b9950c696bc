/** Keys of regtest wallets. Worthless, because everyone can read them. */

/** The wallet that mines and pays in tests. */
export const payerKeys = {
  address:
    "4AJ8ozuSxT21PAZCqf1r8s3EEfJy4Dd3KAjUzh5GN8Jt2MW5ZZn7vAgKCn2hRyE7Be5hbR4JtUt5kAvAKpUQqsFHEihAkr1",
  spendKey: "5821e39291736dcde8a4fd217c8c2e4407d4aaf412c95ba8d65fe79d4ab85603",
  viewKey: "b91e1463115a6b2a197c0700f1babc61e993897531959eb28be87ea9841cda0b",
};

/** The wallet that the service watches. */
export const houseKeys = {
  address:
    "4BEPcHA2oRJJ3Lq1Lc1ty1AanysgL6MLBbvfx1ynwsmwVVZEwzDCoZNE4qUaP22f6gNTtCxBxscTcdTEC5ptB8CQ7haxrsS",
  /** The service never has it. */
  spendKey: "6e633362e22032dbc0588e801b0bc11bf815dbb9ae79df1d8c747e8c9e59c50a",
  viewKey: "b698e71e16735aa44261c5ab1ec5364b028676721811d9571ea14d1e577bbd01",
};
