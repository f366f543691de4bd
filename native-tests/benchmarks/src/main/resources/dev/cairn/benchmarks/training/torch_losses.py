"""Prints the losses of the first iterations of a network that PyTorch trains from given values over given batches.

torch_losses.py mlp|lenet FILE float32|float64 ITERATIONS BATCH: the safetensors file has the values of the network by name, and the tensors features
and labels. Batches are consecutive rows, from the first again behind the last. Prints one line: the version, and the losses.
"""
import json
import struct
import sys

import numpy
import torch
import torch.nn.functional as F
from torch import nn

TYPES = {"F32": numpy.float32, "I64": numpy.int64}


def tensors(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(numpy.frombuffer(data[it["data_offsets"][0]:it["data_offsets"][1]], TYPES[it["dtype"]]).copy()).reshape(it["shape"])
            for name, it in header.items()}


def named(*layers):
    net = nn.Sequential()
    for name, layer in layers:
        net.add_module(name, layer)
    return net


def mlp():
    return named(("fc1", nn.Linear(64, 128)), ("relu", nn.ReLU()), ("fc2", nn.Linear(128, 10)))


def lenet():
    return named(
        ("conv1", nn.Conv2d(1, 6, 5, padding=2)), ("relu1", nn.ReLU()), ("pool1", nn.MaxPool2d(2)),
        ("conv2", nn.Conv2d(6, 16, 5)), ("relu2", nn.ReLU()), ("pool2", nn.MaxPool2d(2)), ("flatten", nn.Flatten()),
        ("fc1", nn.Linear(400, 120)), ("relu3", nn.ReLU()), ("fc2", nn.Linear(120, 84)), ("relu4", nn.ReLU()),
        ("fc3", nn.Linear(84, 10)))


def main(name, path, dtype, iterations, batch):
    given = tensors(path)
    features, labels = given.pop("features").to(dtype), given.pop("labels")
    net = {"mlp": mlp, "lenet": lenet}[name]()
    net.load_state_dict(given)
    net = net.to(dtype)
    optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9) if name == "mlp" else torch.optim.Adam(net.parameters(), 1e-3)
    losses = []
    for i in range(iterations):
        rows = (torch.arange(batch) + i * batch) % len(labels)
        optimizer.zero_grad()
        loss = F.cross_entropy(net(features[rows]), labels[rows])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(torch.__version__, *losses)


main(sys.argv[1], sys.argv[2], {"float32": torch.float32, "float64": torch.float64}[sys.argv[3]], int(sys.argv[4]), int(sys.argv[5]))
