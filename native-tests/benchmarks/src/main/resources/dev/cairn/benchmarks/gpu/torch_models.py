"""The architectures of Cairn's reference models in PyTorch, timed on request.

  torch_models.py version
  torch_models.py MODEL BATCH TOKENS float32|tf32|float16 eager|compile|graphs DEVICE

The first prints one line and ends, with exit code 1 where PyTorch or its CUDA is lacking. The second prints "ready" and
then answers lines of standard input: "run N" by "run MEDIAN_MILLISECONDS", "peak" by "peak BYTES". A run begins with
inputs and ends with float32 outputs in page-locked memory of the host. Weights are whatever PyTorch initialises:
kernels take the same time for any ordinary number.
"""
import statistics
import sys
import time

try:
    import torch
    from torch import nn
    from torch.nn import functional as F
except ImportError:
    print("PyTorch: not installed")
    sys.exit(1)


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.body = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
        self.short = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.short = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return F.relu(self.body(x) + self.short(x), inplace=True)


def resnet50():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            layers.append(Bottleneck(inputs, 64 << stage, 2 if stage and not block else 1))
            inputs = 256 << stage
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000))


def mlp():
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                         nn.Linear(256, 10))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, 3 * width)
        self.join = nn.Linear(width, width)

    def forward(self, x, mask=None, causal=False):
        batch, tokens, width = x.shape
        parts = self.project(x).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(parts[0], parts[1], parts[2], attn_mask=mask, is_causal=causal)
        return self.join(mixed.transpose(1, 2).reshape(batch, tokens, width))


class Feed(nn.Module):
    def __init__(self, width, approximate):
        super().__init__()
        self.out = nn.Linear(width, 4 * width)
        self.back = nn.Linear(4 * width, width)
        self.approximate = approximate

    def forward(self, x):
        return self.back(F.gelu(self.out(x), approximate=self.approximate))


class BertLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention, self.feed = Attention(width, heads), Feed(width, "none")
        self.first, self.second = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)

    def forward(self, x, mask):
        x = self.first(x + self.attention(x, mask))
        return self.second(x + self.feed(x))


class Bert(nn.Module):
    def __init__(self, width=768, heads=12, layers=12):
        super().__init__()
        self.words, self.places = nn.Embedding(30522, width), nn.Embedding(512, width)
        self.kinds, self.normal = nn.Embedding(2, width), nn.LayerNorm(width, 1e-12)
        self.layers = nn.ModuleList(BertLayer(width, heads) for _ in range(layers))
        self.pooler = nn.Linear(width, width)

    def forward(self, words, mask, kinds):
        places = torch.arange(words.shape[1], device=words.device)
        x = self.normal(self.words(words) + self.places(places) + self.kinds(kinds))
        added = ((1 - mask.to(x.dtype)) * -10000.0)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, added)
        return x, torch.tanh(self.pooler(x[:, 0]))


class GptLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention, self.feed = Attention(width, heads), Feed(width, "tanh")
        self.first, self.second = nn.LayerNorm(width, 1e-5), nn.LayerNorm(width, 1e-5)

    def forward(self, x):
        x = x + self.attention(self.first(x), causal=True)
        return x + self.feed(self.second(x))


class Gpt2(nn.Module):
    def __init__(self, width=768, heads=12, layers=12):
        super().__init__()
        self.words, self.places = nn.Embedding(50257, width), nn.Embedding(1024, width)
        self.layers = nn.ModuleList(GptLayer(width, heads) for _ in range(layers))
        self.normal = nn.LayerNorm(width, 1e-5)

    def forward(self, words):
        x = self.words(words) + self.places(torch.arange(words.shape[1], device=words.device))
        for layer in self.layers:
            x = layer(x)
        return F.linear(self.normal(x), self.words.weight)


def inputs_of(name, batch, tokens):
    if name in ("resnet50", "mlp"):
        shape = (batch, 3, 224, 224) if name == "resnet50" else (batch, 784)
        return [torch.arange(torch.Size(shape).numel()).remainder(2).float().view(shape)]
    words = torch.arange(batch * tokens).remainder(2).view(batch, tokens)
    return [words, torch.ones_like(words), torch.zeros_like(words)] if name == "bert_base" else [words]


class Running:
    """A model with inputs and outputs in page-locked memory."""

    def __init__(self, name, batch, tokens, number, mode, device):
        self.device = torch.device("cuda", device)
        torch.cuda.set_device(self.device)
        torch.backends.cuda.matmul.allow_tf32 = number == "tf32"
        torch.backends.cudnn.allow_tf32 = number == "tf32"
        torch.backends.cudnn.benchmark = True
        self.dtype = torch.float16 if number == "float16" else torch.float32
        made = {"resnet50": resnet50, "mlp": mlp, "bert_base": Bert, "gpt2": Gpt2}[name]()
        self.model = made.eval().to(self.device, self.dtype)
        if mode == "compile":
            self.model = torch.compile(self.model)
        self.given = [value.pin_memory() for value in inputs_of(name, batch, tokens)]
        self.inputs = [torch.empty_like(value, device=self.device) for value in self.given]
        self.graph = None
        with torch.inference_mode():
            self.results = self.compute()
            self.outputs = [torch.empty(value.shape, dtype=torch.float32).pin_memory() for value in self.results]
            for _ in range(3):
                self.run()
            if mode == "graphs":
                self.record()
            for _ in range(10):
                self.run()
        torch.cuda.reset_peak_memory_stats(self.device)

    def compute(self):
        values = [value.to(self.dtype) if value.is_floating_point() else value for value in self.inputs]
        results = self.model(*values)
        return [value.float() for value in (results if isinstance(results, tuple) else (results,))]

    def record(self):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.compute()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.results = self.compute()
        self.graph = graph

    def run(self):
        for target, source in zip(self.inputs, self.given):
            target.copy_(source, non_blocking=True)
        if self.graph is None:
            self.results = self.compute()
        else:
            self.graph.replay()
        for target, source in zip(self.outputs, self.results):
            target.copy_(source, non_blocking=True)
        torch.cuda.synchronize(self.device)

    def median_milliseconds(self, runs):
        times = []
        with torch.inference_mode():
            for _ in range(runs):
                began = time.perf_counter_ns()
                self.run()
                times.append((time.perf_counter_ns() - began) / 1e6)
        return statistics.median(times)


def main(words):
    if words == ["version"]:
        there = torch.cuda.is_available()
        print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}" if there else "PyTorch: it finds no GPU")
        return 0 if there else 1
    name, batch, tokens, number, mode, device = words
    try:
        running = Running(name, int(batch), int(tokens), number, mode, int(device))
    except Exception as failure:  # whatever it is, the other side is measured all the same
        print("failed:", type(failure).__name__, str(failure).replace("\n", " ")[:200], flush=True)
        return 1
    print("ready", flush=True)
    for line in sys.stdin:
        question = line.split()
        if question[0] == "run":
            print("run", running.median_milliseconds(int(question[1])), flush=True)
        elif question[0] == "peak":
            print("peak", torch.cuda.max_memory_allocated(running.device), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
