# PyTorch's all-reduce and copy of 1 GiB between two GPUs, for bench/all-gpus.ts: two processes, the NCCL of its wheel.
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

COUNT = 1 << 28


def member(rank: int) -> None:
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=sys.argv[1] if len(sys.argv) > 1 else "29871")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=2)
    x = torch.ones(COUNT, device="cuda")
    for _ in range(5):
        dist.all_reduce(x)
    torch.cuda.synchronize()
    times = []
    for _ in range(5):
        dist.barrier()
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(10):
            dist.all_reduce(x)
        torch.cuda.synchronize()
        times.append((time.perf_counter() - began) / 10)
    if rank == 0:
        print("all-reduce", sorted(times)[2] * 1e3, flush=True)
    dist.destroy_process_group()


def copies() -> None:
    x = torch.ones(COUNT, device="cuda:0")
    y = torch.empty(COUNT, device="cuda:1")
    times = []
    for _ in range(7):
        torch.cuda.synchronize(0)
        torch.cuda.synchronize(1)
        began = time.perf_counter()
        y.copy_(x)
        torch.cuda.synchronize(0)
        torch.cuda.synchronize(1)
        times.append(time.perf_counter() - began)
    print("copy", sorted(times)[3] * 1e3, flush=True)


if __name__ == "__main__":
    print("version", torch.__version__, ".".join(map(str, torch.cuda.nccl.version())), flush=True)
    mp.spawn(member, nprocs=2)
    copies()
