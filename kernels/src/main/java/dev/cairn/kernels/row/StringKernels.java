package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.catalog.StringKernel;
import dev.cairn.kernels.cpu.text.CpuStrings;
import dev.cairn.kernels.cpu.text.LabelEncoder;
import dev.cairn.kernels.cpu.text.StringCast;
import dev.cairn.kernels.cpu.text.StringConcat;
import dev.cairn.kernels.cpu.text.StringMove;
import dev.cairn.kernels.cpu.text.TfIdfVectorizer;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Operators on strings, and those that move or compare elements, for strings. To add one, add a row. */
public final class StringKernels {
  private static final Set<DType> STRINGS = EnumSet.of(DType.STRING);
  private static final Set<DType> EVERY = EnumSet.allOf(DType.class);
  /** Operators of which strings are moved as whole numbers are. */
  private static final Set<String> MOVING = Set.of("Compress", "Concat", "DepthToSpace", "Expand", "Flatten", "Gather",
    "GatherElements", "GatherND", "Identity", "Pad", "Reshape", "ReverseSequence", "ScatterElements", "ScatterND",
    "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile", "Transpose", "Unsqueeze", "Where");
  private static final Set<String> COMPARING = Set.of("Equal", "Unique");

  public static final List<KernelRow> ROWS = rows();

  private StringKernels() {}

  private static List<KernelRow> rows() {
    List<KernelRow> rows = new ArrayList<>(List.of(
      row("Cast", EVERY, new StringCast()),
      row("CastLike", EVERY, new StringCast()),
      row("LabelEncoder", EVERY, new LabelEncoder()),
      row("RegexFullMatch", STRINGS, CpuStrings::matches),
      row("StringConcat", STRINGS, new StringConcat()),
      row("StringNormalizer", STRINGS, CpuStrings::normalize),
      row("StringSplit", STRINGS, CpuStrings::split),
      row("TfIdfVectorizer", EnumSet.of(DType.STRING, DType.INT32, DType.INT64), new TfIdfVectorizer())));
    for (List<KernelRow> family : List.of(ElementwiseKernels.ROWS, MovementKernels.ROWS, SelectionKernels.ROWS)) {
      family.stream().filter(row -> row.twin() == Twin.PORTABLE && row.dtypes().contains(DType.INT64))
        .forEach(row -> addMoving(row, rows));
    }
    return List.copyOf(rows);
  }

  private static void addMoving(KernelRow row, List<KernelRow> rows) {
    if (MOVING.contains(row.operator())) {
      rows.add(new KernelRow(row.operator(), Twin.PORTABLE, row.decides(), STRINGS, StringMove.ofPlaces(row
        .kernel())));
    } else if (COMPARING.contains(row.operator())) {
      rows.add(new KernelRow(row.operator(), Twin.PORTABLE, row.decides(), STRINGS, StringMove.ofValues(row
        .kernel())));
    }
  }

  private static KernelRow row(String operator, Set<DType> dtypes, StringKernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
