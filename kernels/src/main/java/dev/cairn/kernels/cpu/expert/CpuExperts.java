package dev.cairn.kernels.cpu.expert;

import dev.cairn.kernels.attribute.ExpertForm;
import dev.cairn.kernels.attribute.ExpertInputs;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * {@code MoE} and {@code QMoE} of com.microsoft: {@code activation(x · W1ᵀ + b1) · W2ᵀ + b2} for each expert of a
 * token, summed by the shares of the experts. A row of weights is read once for all tokens of its expert, and not at
 * all for an expert without tokens. Sums are in {@code double}.
 */
public final class CpuExperts implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private final ExpertInputs inputs;

  public CpuExperts(ExpertInputs inputs) {
    this.inputs = inputs;
  }

  /** The tokens, and for each route the results of the activation, as {@code float32}. */
  @Override
  public long workspaceBytes(KernelSignature signature) {
    TensorType x = signature.input(0);
    ExpertForm form = ExpertForm.of(signature.attributes());
    long tokens = signature.input(1).shape().extent(0);
    long inner = signature.input(inputs.first().weights()).shape().extent(1) / form.parts();
    return (x.shape().elementCount() + tokens * form.chosen() * inner) * Float.BYTES;
  }

  @Override
  public void run(KernelCall call) {
    ExpertForm form = ExpertForm.of(call.attributes());
    TensorView x = call.input(0);
    TensorView scores = call.input(1);
    if (x.elementCount() == 0) {
      return;
    }
    int experts = Math.toIntExact(scores.shape().extent(1));
    int width = Math.toIntExact(x.shape().extent(-1));
    boolean hasShares = inputs.shares() >= 0 && call.has(inputs.shares());
    var routes = new TokenRoutes(form, scores, hasShares ? call.input(inputs.shares()) : scores, form
      .isNormalized() || (inputs.normalizes() && !hasShares));
    int inner = Math.toIntExact(call.input(inputs.first().weights()).shape().extent(1)) / form.parts();
    var first = new ExpertRows(call, form, inputs.first(), width);
    var second = new ExpertRows(call, form, inputs.second(), inner);
    MemorySegment tokens = call.workspace().asSlice(0, x.elementCount() * Float.BYTES);
    MemorySegment activated = call.workspace().asSlice(x.elementCount() * Float.BYTES);
    CpuStream stream = CpuStream.of(call);
    stream.parallel(x.elementCount() / width, 1, (from, end) -> {
      double[] row = new double[width];
      for (long token = from; token < end; token++) {
        Elements.read(x, token * width, row, width);
        for (int i = 0; i < width; i++) {
          tokens.set(FLOAT, (token * width + i) * Float.BYTES, (float) row[i]);
        }
      }
    });
    stream.parallel((long) experts * inner, 1, (from, end) -> {
      double[][] rows = new double[form.parts()][width];
      for (long task = from; task < end; task++) {
        activate(form, routes, first, (int) (task / inner), (int) (task % inner), inner, rows, tokens, activated);
      }
    });
    stream.parallel(width, 1, (from, end) -> {
      double[] row = new double[inner];
      double[] sums = new double[Math.toIntExact(x.elementCount() / width)];
      for (long column = from; column < end; column++) {
        combine(routes, second, experts, column, row, activated, sums);
        write(sums, call.output(0), column, width);
      }
    });
  }

  /** One result of an expert's first product, for all of its tokens. */
  private static void activate(ExpertForm form, TokenRoutes routes, ExpertRows weights, int expert, int result,
    int inner, double[][] rows, MemorySegment tokens, MemorySegment activated) {
    if (routes.first(expert) == routes.end(expert)) {
      return;
    }
    long[] places = new long[rows.length];
    for (int part = 0; part < rows.length; part++) {
      places[part] = form.isInterleaved() ? (long) result * rows.length + part : (long) part * inner + result;
      weights.read(expert, places[part], rows[part]);
    }
    for (int route = routes.first(expert); route < routes.end(expert); route++) {
      long token = (long) routes.token(route) * weights.columns();
      double value = dot(rows[0], tokens, token) + weights.bias(expert, places[0]);
      value = form.isGated()
        ? form.gated(value, dot(rows[1], tokens, token) + weights.bias(expert, places[1]))
        : form.activated(value);
      activated.set(FLOAT, ((long) route * inner + result) * Float.BYTES, (float) value);
    }
  }

  /** One column of all tokens' results. */
  private static void combine(TokenRoutes routes, ExpertRows weights, int experts, long column, double[] row,
    MemorySegment activated, double[] sums) {
    Arrays.fill(sums, 0);
    for (int expert = 0; expert < experts; expert++) {
      if (routes.first(expert) == routes.end(expert)) {
        continue;
      }
      weights.read(expert, column, row);
      double bias = weights.bias(expert, column);
      for (int route = routes.first(expert); route < routes.end(expert); route++) {
        sums[routes.token(route)] += routes.share(route) * (dot(row, activated, (long) route * row.length) + bias);
      }
    }
  }

  private static void write(double[] sums, TensorView y, long column, int width) {
    double[] one = new double[1];
    for (int token = 0; token < sums.length; token++) {
      one[0] = sums[token];
      Elements.write(one, y, (long) token * width + column, 1);
    }
  }

  private static double dot(double[] row, MemorySegment memory, long first) {
    double sum = 0;
    for (int i = 0; i < row.length; i++) {
      sum += row[i] * memory.get(FLOAT, (first + i) * Float.BYTES);
    }
    return sum;
  }
}
