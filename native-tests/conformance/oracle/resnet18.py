"""Writes resnet18.safetensors: the names and shapes of a ResNet-18's state dict as torchvision has it, and the logits for two images.

Run it with a Python that has PyTorch 1.13 or later: python3 resnet18.py
With a file, it loads this state dict instead, strictly, and says whether its logits are those of the values below: python3 resnet18.py FILE

The values are not written, since a test can make them, too: the numbers of java.util.SplittableRandom, seeded by the CRC-32 of each name.
"""

import json
import struct
import sys
import zlib

import numpy
import torch
import torch.nn.functional as F
from torch import nn

from oracle import write


class BasicBlock(nn.Module):
    def __init__(self, before, channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, channels, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.downsample = None
        if stride > 1:
            self.downsample = nn.Sequential(nn.Conv2d(before, channels, 1, stride, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + (x if self.downsample is None else self.downsample(x)))


class Resnet18(nn.Module):
    """The layers in torchvision's order, under its names."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        for stage, channels in enumerate((64, 128, 256, 512)):
            before = max(64, channels // 2)
            blocks = nn.Sequential(BasicBlock(before, channels, 1 if stage == 0 else 2), BasicBlock(channels, channels, 1))
            self.add_module(f"layer{stage + 1}", blocks)
        self.fc = nn.Linear(512, 1000)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 3, 2, 1)
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(x.mean((2, 3)))


def uniform(name, shape, low, high):
    """Numbers in [low, high), in float32."""
    count = int(numpy.prod(shape))
    with numpy.errstate(over="ignore"):
        z = numpy.uint64(zlib.crc32(name.encode())) + numpy.arange(1, count + 1, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z = z ^ (z >> numpy.uint64(31))
    return torch.from_numpy((low + (high - low) * ((z >> numpy.uint64(40)).astype(numpy.float64) * 2.0**-24)).astype(numpy.float32).reshape(shape))


def value(name, shape):
    """Weights keep the scale; factors and variances lie around 1, all others around 0."""
    if len(shape) > 1:
        bound = (6 / numpy.prod(shape[1:])) ** 0.5
        return uniform(name, shape, -bound, bound)
    return uniform(name, shape, 0.75, 1.25) if name.endswith(("weight", "running_var")) else uniform(name, shape, -0.1, 0.1)


def logits(state):
    net = Resnet18().eval()
    net.load_state_dict(state)
    with torch.no_grad():
        return net(uniform("images", (2, 3, 64, 64), -1, 1))


def read(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(numpy.frombuffer(data[it["data_offsets"][0]:it["data_offsets"][1]], numpy.float32).copy()).reshape(it["shape"])
            for name, it in header.items()}


def main():
    torch.set_num_threads(1)
    counters = {name: it for name, it in Resnet18().state_dict().items() if not it.is_floating_point()}
    made = {name: value(name, tuple(it.shape)) for name, it in Resnet18().state_dict().items() if it.is_floating_point()}
    expected = logits({**made, **counters})
    if len(sys.argv) > 1:
        print("same" if torch.equal(logits({**read(sys.argv[1]), **counters}), expected) else "other logits")
        return
    shapes = {name: list(it.shape) for name, it in Resnet18().state_dict().items()}
    write("resnet18.safetensors", {"logits": expected}, {"shapes": json.dumps(shapes, separators=(",", ":"))})


main()
