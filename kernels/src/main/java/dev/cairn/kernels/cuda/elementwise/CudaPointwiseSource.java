package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Absent;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A {@link PointwiseProgram} as CUDA C. It has a function for one element, and a kernel that calls it for four
 * neighbours, which are loaded and stored together, and for the remaining elements. It does not depend on extents, so
 * it serves all shapes whose inputs broadcast in the same way. The same program always gives the same text.
 *
 * @param dtypes the element types of the inputs
 * @param spreads the way in which each input broadcasts
 * @param isSmall whether 32 bits suffice to count elements
 */
public record CudaPointwiseSource(PointwiseProgram program, List<DType> dtypes, List<Spread> spreads, boolean isSmall) {
  /** The most elements to count in 32 bits: threads round up to groups of four, and advance by the grid's size. */
  private static final long MOST_SMALL = 1L << 31;
  /** The kernel's name. */
  static final String FUNCTION = "fused";

  /** The way in which an input broadcasts to the output. */
  public enum Spread {
    /** The input has one element for each element of the output, in the same order. */
    DENSE,
    /** The input has one element. */
    SINGLE,
    /** Any other way: a walk gives the positions. */
    STRETCHED,
    /** The input is not in memory: the function has it as a parameter. */
    GIVEN
  }

  public CudaPointwiseSource {
    dtypes = List.copyOf(dtypes);
    spreads = List.copyOf(spreads);
  }

  /** The source for a call with all inputs in memory. */
  static CudaPointwiseSource of(KernelSignature signature) {
    Shape shape = signature.output(0).shape();
    List<TensorType> inputs = signature.inputs().stream().flatMap(Optional::stream).toList();
    List<DType> dtypes = inputs.stream().map(TensorType::dtype).toList();
    List<Spread> spreads = inputs.stream().map(it -> spread(it.shape(), shape)).toList();
    return new CudaPointwiseSource(PointwiseProgram.of(signature.attributes()), dtypes, spreads, shape
      .elementCount() < MOST_SMALL);
  }

  /** The source for a call after a product, whose result is input 0. */
  public static CudaPointwiseSource afterProduct(KernelSignature signature) {
    CudaPointwiseSource all = of(signature);
    List<Spread> spreads = new ArrayList<>(all.spreads);
    spreads.set(0, Spread.GIVEN);
    return new CudaPointwiseSource(all.program, all.dtypes, spreads, all.isSmall);
  }

  private static Spread spread(Shape input, Shape output) {
    long count = input.elementCount();
    return count == output.elementCount() ? Spread.DENSE : count == 1 ? Spread.SINGLE : Spread.STRETCHED;
  }

  /** The text; empty if a step is not supported. */
  Optional<String> text() {
    return elementFunction().map(it -> """
      #include "fused.cuh"
      typedef %s INDEX;

      %s
      extern "C" __global__ void %s(%s) {
      %s}
      """.formatted(index(), it, FUNCTION, parameters(), body()));
  }

  /** The type of element indices. */
  public String index() {
    return isSmall ? "unsigned int" : "uint64";
  }

  /** The indices of the inputs that broadcast in this way, in order. Three inputs share a walk. */
  private List<Integer> inputs(Spread spread) {
    return IntStream.range(0, spreads.size()).filter(i -> spreads.get(i) == spread).boxed().toList();
  }

  /** The inputs of each walk. */
  public List<List<Integer>> walks() {
    List<Integer> stretched = inputs(Spread.STRETCHED);
    List<List<Integer>> walks = new ArrayList<>();
    for (int i = 0; i < stretched.size(); i += BroadcastWalk.OPERANDS) {
      walks.add(stretched.subList(i, Math.min(i + BroadcastWalk.OPERANDS, stretched.size())));
    }
    return walks;
  }

  /** The type of an input's elements. */
  public String input(int index) {
    return CudaElementTypes.stored(dtypes.get(index));
  }

  /** The type of a result's elements. */
  public String output(int index) {
    return CudaElementTypes.stored(program.resultTypes().get(index));
  }

  /** The position of an input's element. After the walks, variables {@code at0}, {@code at1} … hold the offsets. */
  public String place(int input, String dense) {
    int number = inputs(Spread.STRETCHED).indexOf(input);
    return switch (spreads.get(input)) {
      case DENSE -> dense;
      case SINGLE -> "0";
      case STRETCHED -> "at%d[%d]".formatted(number / BroadcastWalk.OPERANDS, number % BroadcastWalk.OPERANDS);
      case GIVEN -> throw new IllegalArgumentException("in no memory: input=" + input);
    };
  }

  /** The function {@code compute(x0, x1 …, y0, y1 …)}; empty if a step is not supported. */
  public Optional<String> elementFunction() {
    String values = IntStream.range(0, dtypes.size()).mapToObj(i -> "%s x%d".formatted(input(i), i)).collect(Collectors
      .joining(", "));
    String results = IntStream.range(0, program.results().size()).mapToObj(i -> ", %s& y%d".formatted(output(i), i))
      .collect(Collectors.joining());
    var text = new StringBuilder("__device__ __forceinline__ void compute(%s%s) {\n".formatted(values, results));
    for (int i = 0; i < program.steps().size(); i++) {
      Step step = program.steps().get(i);
      Optional<String> expression = PointwiseExpressions.of(step, step.operands().stream().map(
        CudaPointwiseSource::variable).toList());
      if (expression.isEmpty()) {
        return Optional.empty();
      }
      text.append("  const %s v%d = %s;\n".formatted(CudaElementTypes.stored(step.dtype()), i, expression.get()));
    }
    for (int i = 0; i < program.results().size(); i++) {
      text.append("  y%d = v%d;\n".formatted(i, program.results().get(i)));
    }
    return Optional.of(text.append("}\n").toString());
  }

  private static String variable(Operand operand) {
    return switch (operand) {
      case Input(int index) -> "x" + index;
      case Value(int read) -> "v" + read;
      case Absent() -> "";
    };
  }

  private String parameters() {
    var text = new StringBuilder();
    for (int i = 0; i < dtypes.size(); i++) {
      text.append("const %s* x%d, ".formatted(input(i), i));
    }
    for (int i = 0; i < program.results().size(); i++) {
      text.append("%s* y%d, ".formatted(output(i), i));
    }
    text.append("int64 count");
    for (int i = 0; i < walks().size(); i++) {
      text.append(", Walk walk%d".formatted(i));
    }
    return text.toString();
  }

  private String body() {
    var text = new StringBuilder();
    for (int i : inputs(Spread.SINGLE)) {
      text.append("  const %s s%d = *x%d;\n".formatted(input(i), i, i));
    }
    text.append("  const INDEX first = (INDEX) blockIdx.x * blockDim.x + threadIdx.x;\n");
    text.append("  const INDEX stride = (INDEX) gridDim.x * blockDim.x;\n");
    text.append("  const bool aligned = ((%s) & 15) == 0;\n".formatted(addresses()));
    text.append("  const INDEX fours = aligned ? (INDEX) count / 4 : 0;\n");
    text.append("  for (INDEX four = first; four < fours; four += stride) {\n");
    for (int i : inputs(Spread.DENSE)) {
      text.append("    const Four<%s> d%d = ((const Four<%s>*) x%d)[four];\n".formatted(input(i), i, input(i), i));
    }
    for (int i = 0; i < program.results().size(); i++) {
      text.append("    Four<%s> r%d;\n".formatted(output(i), i));
    }
    text.append("#pragma unroll\n    for (int k = 0; k < 4; k++) {\n");
    text.append(computed("      ", "four * 4 + k", "d%d.of[k]", "r%d.of[k]"));
    text.append("    }\n");
    for (int i = 0; i < program.results().size(); i++) {
      text.append("    ((Four<%s>*) y%d)[four] = r%d;\n".formatted(output(i), i, i));
    }
    text.append("  }\n  for (INDEX i = fours * 4 + first; i < (INDEX) count; i += stride) {\n");
    return text.append(computed("    ", "i", "x%d[i]", "y%d[i]")).append("  }\n").toString();
  }

  /** The bitwise or of all addresses that are loaded or stored in groups of four. */
  private String addresses() {
    String dense = inputs(Spread.DENSE).stream().map(i -> "(uint64) x%d | ".formatted(i)).collect(Collectors.joining());
    return dense + IntStream.range(0, program.results().size()).mapToObj(i -> "(uint64) y%d".formatted(i)).collect(
      Collectors.joining(" | "));
  }

  private String computed(String indent, String index, String dense, String result) {
    var text = new StringBuilder();
    List<List<Integer>> walks = walks();
    for (int i = 0; i < walks.size(); i++) {
      text.append("%sINDEX at%d[3];\n%slocate<INDEX>(walk%d, %s, at%d);\n".formatted(indent, i, indent, i, index, i));
    }
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < spreads.size(); i++) {
      arguments.add(switch (spreads.get(i)) {
        case DENSE -> dense.formatted(i);
        case SINGLE -> "s" + i;
        case STRETCHED, GIVEN -> "x%d[%s]".formatted(i, place(i, index));
      });
    }
    for (int i = 0; i < program.results().size(); i++) {
      arguments.add(result.formatted(i));
    }
    return text.append("%scompute(%s);\n".formatted(indent, String.join(", ", arguments))).toString();
  }
}
