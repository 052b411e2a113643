// The sink of jl.vmap: each operation of a lane becomes one operation over all lanes, on the sink beneath. There is a rule for each kind
// of operation; what has none for lanes runs once for each.
import type { Device } from "../device/device.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import type { Storage } from "../device/storage.js";
import { codeOf, commonDType, type Operand } from "../functor/operand.js";
import { isView, type View } from "../geometry/view.js";
import type { MakeOutput } from "../launch/calls.js";
import type { IndexCheck } from "../launch/index-check.js";
import {
  isDraw,
  type LaunchOperation,
  type LoopOperation,
  MapOperation,
  type OpaqueOperation,
  type Operation,
  ReduceOperation,
  type ScanOperation,
  WriteOperation,
  wholeOperation,
} from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import { geometryOf, typesOf } from "../launch/resolve.js";
import { openSink, passedTo, type Sink, sendingTo } from "../launch/sink.js";
import { drawsKey } from "../tensor/random.js";
import { emptyTensor, Tensor } from "../tensor/tensor.js";
import { eachLane, type LaneCall } from "./each-lane.js";
import { type Batch, LaneStorage, refusal } from "./lane-storage.js";
import { loopOf } from "./loop-body.js";

/** Whether lanes draw numbers of their own, or all the same. */
export type Randomness = "different" | "same";

/** Runs operations of one lane for all lanes. */
export class Lanes implements Sink, Batch {
  readonly name = "lanes";
  isOpen = true;

  constructor(
    /** The sink beneath: that of a step while it is recorded. */
    public outer: Sink | undefined,
    readonly count: number,
    readonly randomness: Randomness,
  ) {}

  below<R>(run: () => R): R {
    return sendingTo(passedTo(this.outer), run);
  }

  storage(device: Device, bytes: number): Storage {
    const storage = new LaneStorage(this, device, bytes);
    storage.isMade = true;
    return storage;
  }

  /** The storage of a tensor that was made inside, or is an argument. */
  #own(x: unknown): LaneStorage | undefined {
    if (!isView(x) || !(x.storage instanceof LaneStorage)) return undefined;
    return x.storage.batch === this ? x.storage : undefined;
  }

  /** True for a tensor with elements for each lane. */
  isMapped(x: unknown): boolean {
    return this.#own(x)?.apart !== undefined;
  }

  /**
   * A tensor beneath with the elements of all lanes: the lane first, then the dimensions of a lane's, after as many of extent 1 as make
   * them `rank`. Without a first dimension if it is one for all lanes.
   */
  whole(x: View, rank = x.shape.length): Tensor {
    const storage = this.#own(x);
    const { offset, shape, strides, dtype } = x as Tensor;
    if (storage === undefined) return x as Tensor;
    const { apart, start } = storage;
    const at = start + offset;
    if (apart === undefined) return new Tensor(storage.memory(), at, shape, strides, dtype);
    const more = new Array<number>(rank - shape.length);
    const all = [this.count, ...more.fill(1), ...shape];
    return new Tensor(storage.memory(), at, all, [apart / dtype.bytes, ...more.fill(0), ...strides], dtype);
  }

  /** The same with the lane as its first dimension in every case, broadcast to a shape of a lane. */
  spread(x: View, shape = x.shape): Tensor {
    const all = this.whole(x, shape.length);
    return this.below(() => all.expand([this.count, ...shape]));
  }

  /** A tensor of a lane over one beneath, whose first dimension is the lane if it is mapped. */
  lane<V extends View>(all: Tensor, isMapped: boolean, make: MakeOutput<V>, isMade = true): V {
    const { dtype, device, storage } = all;
    const [shape, strides] = isMapped ? [all.shape.slice(1), all.strides.slice(1)] : [all.shape, all.strides];
    const reach = (sign: number) =>
      shape.reduce((sum, n, d) => sum + Math.max(0, sign * (n - 1) * (strides[d] as number)), 0);
    const [before, after] = shape.includes(0) ? [0, -1] : [reach(-1), reach(1)];
    const own = new LaneStorage(this, device, (before + after + 1) * dtype.bytes);
    own.base = storage;
    own.start = all.offset - before * dtype.bytes;
    own.dtype = dtype;
    own.isMade = isMade;
    if (isMapped) own.apart = (all.strides[0] as number) * dtype.bytes;
    const x = new Tensor(own, before * dtype.bytes, shape, strides, dtype);
    return before === 0 ? make(shape, strides, dtype, device, own) : (x as View as V);
  }

  take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined {
    switch (operation.kind) {
      case "map":
        return this.#map(operation, make);
      case "reduce":
        return this.#reduce(operation, make);
      case "scan":
      case "opaque":
        return this.#whole(operation, make);
      case "write":
        return this.#write(operation) as readonly V[];
      case "launch":
        return this.#launch(operation, make);
      case "loop":
        return this.#loop(operation, make);
      default:
        return operation satisfies never;
    }
  }

  #map<V extends View>(operation: MapOperation, make: MakeOutput<V>): readonly V[] {
    const { functor, inputs, options } = operation;
    const { out, shape, check, site: _, ...others } = options;
    const isDrawn = isDraw(operation) && !drawsKey(functor) && this.randomness === "different";
    const isMapped = isDrawn || [...inputs, ...operation.out].some((x) => this.isMapped(x));
    for (const x of operation.out) this.#target(operation, x, isMapped);
    const isPlaced = functor.signature.some(({ role }) => role === "position");
    if (isMapped && isPlaced && !isDrawn) return this.#each(operation, make);
    const ranks = [...inputs.filter(isView), ...operation.out].map((x) => x.shape.length);
    const rank = Math.max(0, shape?.length ?? 0, ...ranks);
    const given = isMapped
      ? this.#operands(operation, rank)
      : inputs.map((x) => (isView(x) ? this.whole(x) : x));
    const own = new MapOperation(functor, given, {
      ...others,
      ...(shape && { shape: isMapped ? [this.count, ...shape] : shape }),
      ...(check && { check: this.#check(check) }),
      ...(out && { out: out.map((x) => this.whole(x, rank)) }),
    });
    const results = this.#shown(operation, () => this.below(() => perform(own, emptyTensor)));
    return (out as readonly V[] | undefined) ?? results.map((all) => this.#result(all, isMapped, make));
  }

  /** The operands of a map over all lanes. */
  #operands({ functor, inputs, out }: MapOperation, rank: number): Operand[] {
    // A tensor without dimensions gets one, and would then decide the dtype of the result.
    const codes = inputs.map((x) => codeOf(x, functor.name));
    const isTyped = (i: number) => (functor.inputs[i] ?? "T") === "T";
    const typed = codes.filter((_, i) => isTyped(i));
    const common = typed.length > 0 && !functor.converts ? commonDType(typed) : undefined;
    const given = inputs.map((x, i) => {
      if (!isView(x)) return x;
      const all = this.whole(x, rank);
      if (common === undefined || x.shape.length > 0 || !isTyped(i)) return all;
      return this.below(() => all.to(common.name));
    });
    // What is written has all lanes, so the operands have them too.
    const at = inputs.findIndex(isView);
    if (out.length > 0 && at >= 0 && !inputs.some((x) => this.isMapped(x))) {
      const one = given[at] as Tensor;
      const ones = new Array<number>(rank - one.ndim).fill(1);
      given[at] = this.below(() => one.expand([this.count, ...ones, ...one.shape]));
    }
    return given;
  }

  #reduce<V extends View>(operation: ReduceOperation, make: MakeOutput<V>): readonly V[] {
    const { call } = operation;
    const { gone, shape } = call;
    const isMapped = this.isMapped(call.input);
    const input = this.whole(call.input);
    const all = isMapped ? { gone: [false, ...gone], shape: [this.count, ...shape] } : { gone, shape };
    const own = new ReduceOperation({ ...call, ...all, input });
    const results = this.below(() => perform(own, emptyTensor));
    return results.map((one) => this.#result(one, isMapped, make));
  }

  #whole<V extends View>(operation: ScanOperation | OpaqueOperation, make: MakeOutput<V>): readonly V[] {
    const { inputs, undo } = operation;
    const isMapped = inputs.some((x) => this.isMapped(x));
    const run = (
      definition: ScanOperation["definition"] | OpaqueOperation["definition"],
      given: readonly Tensor[],
    ) => this.below(() => perform(wholeOperation(definition, given, undo), emptyTensor));
    const lanes = (results: readonly Tensor[]) => results.map((all) => this.#result(all, isMapped, make));
    if (!isMapped)
      return lanes(
        run(
          operation.definition,
          inputs.map((x) => this.whole(x)),
        ),
      );
    if (operation.kind === "scan") {
      const { definition } = operation;
      return lanes(run(definition.along(definition.dim + 1), [this.whole(inputs[0] as View)]));
    }
    const { definition } = operation;
    const { core } = definition;
    const hasForm = core?.every((dims, i) => dims !== "all" || !this.isMapped(inputs[i]));
    if (core === undefined || !hasForm || (definition.draws === true && this.randomness === "same"))
      return this.#each(operation, make);
    const batches = inputs.map(({ shape }, i) => {
      const dims = core[i] as number | "all";
      return dims === "all" ? undefined : shape.slice(0, shape.length - dims);
    });
    const batch = batches.reduce<readonly number[]>(
      (most, one) => (one && one.length > most.length ? one : most),
      [],
    );
    const given = inputs.map((x, i) => {
      const own = batches[i];
      if (own === undefined) return this.whole(x);
      const all = this.spread(x, [...batch, ...x.shape.slice(own.length)]);
      return definition.hasOneBatch
        ? this.below(() => all.reshape([this.count * (batch[0] as number), ...all.shape.slice(2)]))
        : all;
    });
    const results = run(definition, given);
    if (!definition.hasOneBatch) return lanes(results);
    return lanes(
      results.map((one) => this.below(() => one.view([this.count, ...batch, ...one.shape.slice(1)]))),
    );
  }

  /** A loop whose carry has all lanes. */
  #loop<V extends View>(operation: LoopOperation, make: MakeOutput<V>): readonly V[] | undefined {
    const { along } = operation;
    const isMapped = along.map((x) => this.isMapped(x));
    const all = (x: View) => {
      const own = this.spread(x);
      return this.isMapped(x) ? own : this.below(() => own.contiguous());
    };
    const lane = (x: View, isOwn: boolean) => this.lane(x as Tensor, isOwn, emptyTensor, false);
    const body: LoopOperation["body"] = (carry, elements) => {
      const before = this.outer;
      this.outer = openSink();
      try {
        const [next, results] = sendingTo(this, () =>
          operation.body(
            carry.map((x) => lane(x, true)),
            elements.map((x, i) => lane(x, isMapped[i] === true)),
          ),
        );
        return [next.map(all), results.map(all)];
      } finally {
        this.outer = before;
      }
    };
    const results = this.below(() => {
      const carry = operation.carry.map((x) => this.spread(x).contiguous());
      const own = along.map((x, i) => (isMapped[i] ? this.whole(x).movedim(0, 1) : this.whole(x)));
      const { name, steps, isReversed, isWhole } = operation;
      const all = loopOf({ name, steps, isReversed, isWhole, carry, along: own, body });
      return isWhole ? openSink()?.take(all, emptyTensor) : perform(all, emptyTensor);
    });
    return results?.map((x, i) => {
      const isCarry = i < operation.carry.length;
      return this.#result(isCarry ? x : this.below(() => x.movedim(1, 0)), true, make);
    });
  }

  #write(operation: WriteOperation): readonly View[] {
    const { definition, given, target, check } = operation;
    const isMapped = [...given, target].some((x) => this.isMapped(x));
    this.#target(operation, target, isMapped);
    const { place } = definition;
    if (!isMapped) {
      const inputs = given.map((x) => this.whole(x));
      const own = new WriteOperation(definition, inputs, this.whole(target), this.#check(check));
      this.below(() => perform(own, emptyTensor));
      return operation.out;
    }
    if (place === undefined) return this.#each(operation, emptyTensor);
    const [index, values] = given as readonly [View, View];
    const { dim, isRows } = place;
    const isSame = isRows && !this.isMapped(index);
    const at = target.shape.with(dim, index.shape[0] as number);
    const chosen = this.below(() => {
      if (isSame) return this.whole(index);
      if (!isRows) return this.spread(index);
      const all = this.whole(index);
      return all.reshape([this.count, ...at.map((n, k) => (k === dim ? n : 1))]).expand([this.count, ...at]);
    });
    const source =
      values.shape.length === 0 ? this.spread(values, chosen.shape.slice(1)) : this.spread(values);
    const tested = check.over(check.all.map((one) => ({ ...one, index: chosen })));
    const own = new WriteOperation(place.at(dim + 1, isSame), [chosen, source], this.whole(target), tested);
    this.below(() => perform(own, emptyTensor));
    return operation.out;
  }

  /** Launches run if no lane has elements of its own: they are of one shape. */
  #launch<V extends View>(operation: LaunchOperation, make: MakeOutput<V>): readonly V[] {
    const { name, inputs, out, run } = operation;
    if ([...inputs, ...out].some((x) => this.isMapped(x)))
      throw refusal(`${name} has no form for lanes`, "Call it after vmap, or in a loop over the lanes.");
    for (const x of out) this.#target(operation, x, false);
    let ran: readonly View[] = [];
    const beneath = (list: readonly View[]) => list.map((x) => this.whole(x));
    const all = {
      ...operation,
      inputs: beneath(inputs),
      out: beneath(out),
      run: () => {
        ran = run();
        return beneath(ran);
      },
    };
    const results = this.below(() => perform(all, emptyTensor));
    return results.map((one, i) => {
      const own = ran[i];
      return (this.#own(own) || out.includes(own as View) ? own : this.lane(one, false, make)) as V;
    });
  }

  /** The operation for each lane by itself. */
  #each<V extends View>(operation: LaneCall, make: MakeOutput<V>): readonly V[] {
    const at = (x: View, lane: number): Tensor => {
      const all = this.whole(x);
      return this.isMapped(x) ? this.below(() => all.select(0, lane)) : all;
    };
    const results = this.below(() => eachLane(operation, this.count, at));
    return results === undefined
      ? (operation.out as readonly V[])
      : results.map((all) => this.lane(all, true, make));
  }

  /** A tensor is written; if it gets elements of lanes, it has some for each from now on. */
  #target({ name }: { readonly name: string }, x: View, isMapped: boolean): void {
    const storage = this.#own(x);
    if (storage === undefined) {
      if ((x.storage as PooledStorage | undefined)?.isFlag) return;
      throw refusal(
        `${name} writes into a tensor from outside of the function, which a loop would do once for each lane`,
        "Return the new elements, or write into a clone that the function makes.",
      );
    }
    if (storage.copiedFrom !== undefined)
      throw refusal(
        `${name} writes into an argument that is mapped along dimension ${storage.copiedFrom}`,
        "Write into a clone, or map the argument along dimension 0.",
      );
    storage.writing();
    if (isMapped) {
      storage.dtype ??= x.dtype;
      storage.divide();
    }
    storage.dtype = x.dtype;
  }

  #check(check: IndexCheck): IndexCheck {
    return check.over(check.all.map((one) => ({ ...one, index: this.whole(one.index) })));
  }

  #result<V extends View>(all: Tensor, isMapped: boolean, make: MakeOutput<V>): V {
    // A lane has the layout that it has alone, not one that is interleaved with other lanes.
    const [first = 0, ...inner] = all.strides;
    const isInside =
      isMapped && inner.some((stride, d) => (all.shape[d + 1] as number) > 1 && stride > first);
    return this.lane(isInside && all.size > 0 ? this.below(() => all.contiguous()) : all, isMapped, make);
  }

  /** Runs a map; if it fails, the error is that of one lane. */
  #shown<R>({ functor, inputs, options }: MapOperation, run: () => R): R {
    try {
      return run();
    } catch (error) {
      geometryOf(functor, inputs, options);
      typesOf(functor, inputs, options);
      throw error;
    }
  }
}
