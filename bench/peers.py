"""What other libraries take for the trials of `npm run bench`, one line of JSON per figure.

usage: peers.py list
       peers.py PEER MODE[,MODE...] cuda|cpu LOG2_OF_SIZE
       peers.py PEER serve|serve-programs cpu LOG2_OF_SIZE (then a name per line of input: milliseconds of one launch, for programs
       those of the processor, or an empty line)
modes: host (microseconds per call), bandwidth (milliseconds per launch), custom (GB/s of reductions, microseconds per call), programs (microseconds per call, and seconds
of the first call under programs-first), first-NAME (milliseconds, in a process of its
own), memory (MiB above the bare context). Clocks and names are those of trial.ts, bandwidth.ts and first-call-child.ts.
"""

import ctypes
import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import time

sys.dont_write_bytecode = True
from peer_libraries import CLASSES
from peer_programs import programs

PEERS = {"numpy": "numpy", "torch": "torch", "torch.compile": "torch", "cupy": "cupy", "jax": "jax"}


def host_microseconds(peer, call, calls=5000, rounds=5):
    for _ in range(200):
        call()
    best = float("inf")
    for _ in range(rounds):
        peer.sync()
        began = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, time.perf_counter() - began)
    peer.sync()
    return best / calls * 1e6


def device_milliseconds(peer, launch, launches):
    launch()
    peer.sync()
    began, rounds = time.perf_counter(), []
    while len(rounds) < 2 or (len(rounds) < 7 and time.perf_counter() - began < 1):
        rounds.append(peer.milliseconds(launch, launches))
    rounds.sort()
    middle = len(rounds) // 2
    return rounds[middle] if len(rounds) % 2 else (rounds[middle - 1] + rounds[middle]) / 2


def tell(identity, measure):
    try:
        print(json.dumps({"id": identity, "value": measure()}), flush=True)
    except Exception as error:  # a peer that lacks one thing is still measured in the others
        text = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        print(json.dumps({"id": identity, "failure": text}), flush=True)


def first_seconds(peer, call):
    peer.sync()
    began = time.perf_counter()
    call()
    peer.sync()
    return time.perf_counter() - began


def first_milliseconds(peer, name):
    call = peer.first(name)
    peer.sync()
    began = time.perf_counter()
    result = call()
    peer.sync()
    took = (time.perf_counter() - began) * 1e3
    print(result[0].item(), flush=True)
    return took


def bare_context_free():
    """Free bytes with nothing but the device's primary context, which the peer will use too."""
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    results = [
        cuda.cuInit(0),
        cuda.cuDeviceGet(ctypes.byref(device), 0),
        cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device),
        cuda.cuCtxSetCurrent(context),
    ]

    def ask():
        results.append(cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)))
        if any(results):
            raise RuntimeError(f"the driver answered {results}")
        return free.value

    return ask


def memory_above_bare(make):
    ask = bare_context_free()
    bare = ask()
    peer = make()
    for name in ("gcd", "digamma", "zeta", "functor"):
        peer.first(name)()
    peer.sync()
    return (bare - ask() - peer.pooled()) / 2**20


def processor_milliseconds(peer, launch):
    began = time.process_time()
    launch()
    return 1e3 * (time.process_time() - began)


def serve(peer, launches, clock=lambda peer, launch: peer.milliseconds(launch, 1)):
    """One launch for each line of input, so that another program's launches can stand between them."""
    for line in sys.stdin:
        launch = launches.get(line.strip())
        print("" if launch is None else clock(peer, launch), flush=True)


def installed():
    versions = {}
    for name, module in PEERS.items():
        if importlib.util.find_spec(module) is None:
            continue
        try:
            versions[name] = importlib.metadata.version(module)
        except importlib.metadata.PackageNotFoundError:
            try:  # CuPy's wheels have names of their own
                versions[name] = importlib.import_module(module).__version__
            except Exception as error:
                print(f"{name} is not usable: {error}", file=sys.stderr)
    return versions


def main():
    if sys.argv[1:] == ["list"]:
        print(json.dumps(installed()))
        return
    name, modes, device, log2 = sys.argv[1:]
    os.environ.setdefault("JAX_PLATFORMS", device)
    make = lambda: CLASSES[name](device)
    if modes == "memory":
        tell("first/memory", lambda: memory_above_bare(make))
        return
    peer = make()
    if modes == "serve":
        serve(peer, peer.launches(1 << int(log2)))
        return
    if modes == "serve-programs":
        serve(peer, dict(programs(peer, name, 1 << int(log2))), processor_milliseconds)
        return
    for mode in modes.split(","):
        if mode == "host":
            for key, call in peer.functions(1).items():
                tell(f"host/{key}", lambda: host_microseconds(peer, call))
        elif mode == "bandwidth":
            for key, launch in peer.launches(1 << int(log2)).items():
                launches = 10 if device == "cuda" else 1
                tell(f"bandwidth/{key}", lambda: device_milliseconds(peer, launch, launches))
        elif mode == "custom":
            count, launches = 1 << int(log2), 10 if device == "cuda" else 1
            for key, launch in peer.reductions(count).items():
                tell(f"custom/{key}", lambda: count * 4 / device_milliseconds(peer, launch, launches) / 1e6)
            for key, call in peer.custom_calls().items():
                tell(f"custom/{key}", lambda: host_microseconds(peer, call))
        elif mode == "programs":
            log2 = 26 if device == "cuda" else 22
            for key, call in programs(peer, name, 1 << log2):
                tell(f"programs-first/{key}", lambda: first_seconds(peer, call))
                launches = 10 if device == "cuda" else 1
                tell(f"programs/{key}", lambda: 1e3 * device_milliseconds(peer, call, launches))
        else:
            key = mode.removeprefix("first-")
            tell(f"first/{key}", lambda: first_milliseconds(peer, key))


main()
