// A table as columns: groups, order by two keys, a join, and shares.
import * as jl from "../../dist/runtime/index.js";
import { numbers } from "./numbers.js";

export function tables(rows = 300) {
  const shop = numbers(rows, 7).mul(8).to("int64");
  const amount = numbers(rows, 9).mul(100).round();
  const zeros = jl.zeros([8], { dtype: "float64" });
  const totals = zeros.scatterAdd(0, shop, amount);
  const largest = zeros.scatterReduce(0, shop, amount, "amax");
  const counts = shop.bincount({ minlength: 8 });
  // By shop, and in it by the amount, the greatest first: the sorts keep the order of equals.
  const byAmount = amount.argsort(0, { descending: true });
  const order = byAmount.at(shop.at(byAmount).argsort());
  // Each row's share of its shop, and the shops with more than the average.
  const share = amount.div(totals.at(shop));
  const strong = totals.gt(totals.mean()).nonzero().squeeze(1);
  const { values, indices } = totals.topk(3);
  const edges = jl.tensor([0, 25, 50, 75, 100], { dtype: "float64" });
  const classes = amount.bucketize(edges, { right: true }).bincount({ minlength: 6 });
  return { totals, largest, counts, order, share, strong, best: values, bestShops: indices, classes };
}
