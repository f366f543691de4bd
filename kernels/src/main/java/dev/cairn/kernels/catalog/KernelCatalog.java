package dev.cairn.kernels.catalog;

import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All kernels of one device, looked up by operator and signature. Immutable. */
public final class KernelCatalog {
  private final Map<String, List<KernelRow>> rows = new TreeMap<>();

  /** Creates a catalog. Of several rows that support a call, it prefers the later {@link KernelRow.Twin}. */
  public KernelCatalog(List<KernelRow> all) {
    for (KernelRow row : all) {
      rows.computeIfAbsent(row.operator(), name -> new ArrayList<>()).add(row);
    }
    rows.values().forEach(list -> list.sort(Comparator.comparing(KernelRow::twin).reversed()));
  }

  /** A catalog of the rows that satisfy a predicate. */
  public KernelCatalog where(Predicate<KernelRow> wanted) {
    return new KernelCatalog(rows.values().stream().flatMap(List::stream).filter(wanted).toList());
  }

  /** The same catalog with more rows. */
  public KernelCatalog with(List<KernelRow> more) {
    return new KernelCatalog(Stream.concat(rows.values().stream().flatMap(List::stream), more.stream()).toList());
  }

  /** The preferred row that supports this signature; empty if no kernel does. */
  public Optional<KernelRow> find(String operator, KernelSignature signature) {
    for (KernelRow row : rows.getOrDefault(operator, List.of())) {
      if (serves(row, signature)) {
        return Optional.of(row);
      }
    }
    return Optional.empty();
  }

  /** Kernels count some extents with an int; a kernel whose count overflows does not serve the call. */
  private static boolean serves(KernelRow row, KernelSignature signature) {
    try {
      return row.serves(signature);
    } catch (ArithmeticException e) {
      return false;
    }
  }

  /** The names of all operators that have a kernel. */
  public SortedSet<String> operators() {
    return new TreeSet<>(rows.keySet());
  }

  /** The element types for which an operator has a kernel: those of the operand that {@link KernelRow#decides}. */
  public Set<DType> dtypes(String operator) {
    var all = EnumSet.noneOf(DType.class);
    rows.getOrDefault(operator, List.of()).forEach(row -> all.addAll(row.dtypes()));
    return all;
  }

  /** The rows of an operator, the preferred one first. */
  public List<KernelRow> rows(String operator) {
    return List.copyOf(rows.getOrDefault(operator, List.of()));
  }
}
