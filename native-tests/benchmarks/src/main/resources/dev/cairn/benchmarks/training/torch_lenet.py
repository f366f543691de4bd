"""Trains LeNet on Fashion-MNIST with PyTorch, from given first values.

  torch_lenet.py FOLDER START.safetensors EPOCHS BATCH SEED

FOLDER has the four gzipped IDX files. Prints one line: PyTorch's version, the mean loss of the last epoch, the accuracy on
the test images, and the seconds that training took.
"""

import gzip
import json
import struct
import sys
import time

import numpy
import torch
import torch.nn.functional as F
from torch import nn


def idx(folder, name, header):
    with gzip.open(f"{folder}/{name}.gz") as file:
        return torch.from_numpy(numpy.frombuffer(file.read(), numpy.uint8, offset=header).copy())


def images(folder, part):
    return idx(folder, part + "-images-idx3-ubyte", 16).reshape(-1, 1, 28, 28).float() / 255, idx(folder, part + "-labels-idx1-ubyte", 8).long()


def start(path):
    """The tensors of a safetensors file of float32."""
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(numpy.frombuffer(data[it["data_offsets"][0]:it["data_offsets"][1]], numpy.float32).copy()).reshape(it["shape"])
            for name, it in header.items()}


class Lenet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x.flatten(1))))))


def main(folder, first_values, epochs, batch, seed):
    torch.manual_seed(seed)
    x, y = images(folder, "train")
    net = Lenet()
    net.load_state_dict(start(first_values))
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    began = time.time()
    for _ in range(epochs):
        total, count = 0.0, 0
        for rows in torch.randperm(len(x)).split(batch):
            if len(rows) == batch:
                optimizer.zero_grad()
                loss = F.cross_entropy(net(x[rows]), y[rows])
                loss.backward()
                optimizer.step()
                total, count = total + loss.item(), count + 1
    seconds = time.time() - began
    x, y = images(folder, "t10k")
    with torch.no_grad():
        accuracy = (net(x).argmax(1) == y).float().mean().item()
    print(torch.__version__, total / count, accuracy, seconds)


main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]))
