"""Writes training.safetensors: what PyTorch's optimizers make of given gradients, and the losses of whole networks on the digits.

Run it with a Python that has PyTorch 1.13 or later: python3 training.py ../../../../shared/data/digits/digits.csv.gz
"""

import gzip
import json
import sys

import torch
import torch.nn.functional as F
from torch import nn, optim

from oracle import write

ITERATIONS = 100
BATCH = 32


def optimizers(tensors):
    """Ten updates of one parameter by each optimizer, with the same gradients, in float64."""
    torch.manual_seed(2)
    start, gradients = torch.randn(6, dtype=torch.float64), torch.randn(10, 6, dtype=torch.float64)
    tensors["optimizers/start"], tensors["optimizers/gradients"] = start, gradients
    made = {
        "sgd": lambda p: optim.SGD(p, 0.1, weight_decay=0.01),
        "sgd-momentum": lambda p: optim.SGD(p, 0.1, momentum=0.9, weight_decay=0.01),
        "nag": lambda p: optim.SGD(p, 0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
        "adam": lambda p: optim.Adam(p, 0.05, weight_decay=0.01),
        "adamw": lambda p: optim.AdamW(p, 0.05, weight_decay=0.01),
        "rmsprop": lambda p: optim.RMSprop(p, 0.05, weight_decay=0.01),
        "rmsprop-centred-momentum": lambda p: optim.RMSprop(p, 0.05, momentum=0.9, centered=True),
        "adagrad": lambda p: optim.Adagrad(p, 0.05, weight_decay=0.01),
    }
    for name, make in made.items():
        parameter = start.clone().requires_grad_()
        optimizer = make([parameter])
        steps = []
        for gradient in gradients:
            parameter.grad = gradient.clone()
            optimizer.step()
            steps.append(parameter.detach().clone())
        tensors["optimizers/" + name] = torch.stack(steps)


class Convolutional(nn.Module):
    """Two convolutions with batch normalisation and a pooling, for images of 8x8."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x.reshape(-1, 1, 8, 8)))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


class Transformer(nn.Module):
    """One layer of an encoder over the rows of an image."""

    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, activation="gelu", batch_first=True)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        return self.fc(self.layer(x.reshape(-1, 8, 8)).mean(1))


def mlp():
    net = nn.Sequential()
    net.add_module("fc1", nn.Linear(64, 128))
    net.add_module("relu", nn.ReLU())
    net.add_module("fc2", nn.Linear(128, 10))
    return net


def networks(tensors, images, labels):
    """Each network's initial parameters, and its loss in each iteration over consecutive batches."""
    networks = {
        "mlp": (mlp, lambda p: optim.SGD(p, 0.1, momentum=0.9)),
        "convolutional": (Convolutional, lambda p: optim.Adam(p, 1e-3)),
        "transformer": (Transformer, lambda p: optim.AdamW(p, 1e-3, weight_decay=0.01)),
    }
    for name, (make, optimizer_of) in networks.items():
        for kind, dtype in (("float32", torch.float32), ("float64", torch.float64)):
            torch.manual_seed(3)
            net = make()
            if kind == "float32":
                for key, value in net.state_dict().items():
                    tensors[f"{name}/start/{key}"] = value.clone()
            net = net.to(dtype)
            optimizer = optimizer_of(net.parameters())
            losses = []
            for i in range(ITERATIONS):
                rows = (torch.arange(BATCH) + i * BATCH) % len(images)
                optimizer.zero_grad()
                loss = F.cross_entropy(net(images[rows].to(dtype) / 16), labels[rows])
                loss.backward()
                optimizer.step()
                losses.append(loss.detach().double())
            tensors[f"{name}/losses/{kind}"] = torch.stack(losses)


def main():
    with gzip.open(sys.argv[1], "rt") as file:
        rows = torch.tensor([[float(n) for n in line.split(",")] for line in file if line[0].isdigit()], dtype=torch.float64)
    torch.set_num_threads(1)
    tensors = {}
    optimizers(tensors)
    networks(tensors, rows[:, :64], rows[:, 64].long())
    write("training.safetensors", tensors, {"iterations": json.dumps(ITERATIONS), "batch": json.dumps(BATCH)})


main()
