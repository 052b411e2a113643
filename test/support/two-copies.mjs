// Runs a functor of one copy of the library, then one of another, in turn, and prints what each gave as one line of JSON.
const copies = await Promise.all(process.argv.slice(2).map((path) => import(path)));
const results = [];
for (let n = 1; n <= 6; n++) {
  const jl = copies[n % copies.length];
  const add = jl.jit(`template <typename T> T f(T x) { return x + T(${n}); }`);
  results.push(add(jl.zeros([1], { device: "cpu" })).item());
}
console.log(JSON.stringify(results));
