package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.catalog.StringKernel;
import dev.cairn.kernels.cpu.ensemble.CpuFeatures;
import dev.cairn.kernels.cpu.text.CpuStrings;
import dev.cairn.kernels.cpu.text.LabelEncoder;
import dev.cairn.kernels.cpu.text.MurmurHash;
import dev.cairn.kernels.cpu.text.StringCast;
import dev.cairn.kernels.cpu.text.StringConcat;
import dev.cairn.kernels.cpu.text.StringMove;
import dev.cairn.kernels.cpu.text.TfIdfVectorizer;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Operators on strings, and those that move or compare elements of any type, for strings. To add one on strings, add a
 * row here; the rows of the others are those of {@link MovementKernels#MOVING}, and a few of other families.
 */
public final class StringKernels {
  private static final Set<DType> STRINGS = EnumSet.of(DType.STRING);
  private static final Set<DType> EVERY = EnumSet.allOf(DType.class);

  public static final List<KernelRow> ROWS = rows();

  private StringKernels() {}

  private static List<KernelRow> rows() {
    List<KernelRow> rows = new ArrayList<>(List.of(
      row("Cast", EVERY, new StringCast()),
      row("CastLike", EVERY, new StringCast()),
      row("CategoryMapper", STRINGS, new LabelEncoder()),
      new KernelRow("CategoryMapper", Twin.PORTABLE, Decides.FIRST_OUTPUT, STRINGS, new LabelEncoder()),
      row("LabelEncoder", EVERY, new LabelEncoder()).withoutCuda(KernelRow.NO_CUDA_YET),
      row("MurmurHash3", EnumSet.of(DType.STRING, DType.INT32, DType.UINT32, DType.INT64, DType.UINT64, DType.FLOAT32,
        DType.FLOAT64), new MurmurHash()).withoutCuda(KernelRow.NO_CUDA_YET),
      row("OneHotEncoder", EnumSet.of(DType.STRING, DType.INT64, DType.INT32, DType.FLOAT32, DType.FLOAT64),
        CpuFeatures::encode).withoutCuda(KernelRow.NO_CUDA_YET),
      row("RegexFullMatch", STRINGS, CpuStrings::matches),
      row("StringConcat", STRINGS, new StringConcat()),
      row("StringNormalizer", STRINGS, CpuStrings::normalize),
      row("StringSplit", STRINGS, CpuStrings::split),
      row("Tokenizer", STRINGS, CpuStrings::tokenize),
      row("TfIdfVectorizer", EnumSet.of(DType.STRING, DType.INT32, DType.INT64), new TfIdfVectorizer())
        .withoutCuda(KernelRow.NO_CUDA_YET)));
    Stream.concat(MovementKernels.MOVING.stream(), Stream.of(ElementwiseKernels.WHERE, SelectionKernels.COMPRESS))
      .forEach(it -> rows.add(ofStrings(it, StringMove.ofPlaces(it.kernel()))));
    Stream.of(ElementwiseKernels.EQUAL, SelectionKernels.UNIQUE).forEach(it -> rows.add(ofStrings(it, StringMove
      .ofValues(it.kernel()))));
    return List.copyOf(rows);
  }

  private static KernelRow ofStrings(KernelRow row, StringMove kernel) {
    return new KernelRow(row.operator(), Twin.PORTABLE, row.decides(), STRINGS, kernel);
  }

  private static KernelRow row(String operator, Set<DType> dtypes, StringKernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
