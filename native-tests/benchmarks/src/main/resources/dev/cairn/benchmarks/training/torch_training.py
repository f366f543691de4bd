"""Trains lenet or resnet18 with PyTorch on two threads, as far as standard input asks.

torch_training.py version: prints which PyTorch there is.
torch_training.py MODEL BATCH: reads lines; "iterate N" prints milliseconds of an iteration, "grown" MiB of resident memory.
"""
import sys
import time

import torch
from torch import nn


def status(name):
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(name + ":"))


class Block(nn.Module):
    def __init__(self, before, channels, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(before, channels, 3, stride, 1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(),
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))
        self.short = nn.Sequential() if before == channels else nn.Sequential(
            nn.Conv2d(before, channels, 1, stride, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x):
        return torch.relu(self.body(x) + self.short(x))


def resnet18():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    before = 64
    for channels in (64, 128, 256, 512):
        layers += [Block(before, channels, 1 if before == channels else 2), Block(channels, channels, 1)]
        before = channels
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000)), (3, 224, 224), 1000


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)), (1, 28, 28), 10


def main():
    if sys.argv[1] == "version":
        print("PyTorch " + torch.__version__)
        return
    torch.set_num_threads(2)
    torch.manual_seed(1)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as clear:
        clear.write("5")
    before = status("VmRSS")
    net, shape, classes = {"lenet": lenet, "resnet18": resnet18}[sys.argv[1]]()
    batch = int(sys.argv[2])
    data = torch.rand(batch, *shape)
    labels = torch.randint(classes, (batch,))
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
    loss = nn.CrossEntropyLoss()
    for line in sys.stdin:
        if line.startswith("grown"):
            print((status("VmHWM") - before) / 1024, flush=True)
            continue
        count = int(line.split()[1])
        start = time.perf_counter()
        for _ in range(count):
            optimizer.zero_grad(set_to_none=True)
            value = loss(net(data), labels)
            value.backward()
            optimizer.step()
            value.item()
        print((time.perf_counter() - start) * 1000 / count, flush=True)


main()
