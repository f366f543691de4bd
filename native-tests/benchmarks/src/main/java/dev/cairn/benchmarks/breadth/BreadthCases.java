package dev.cairn.benchmarks.breadth;

import ai.onnxruntime.OrtException;
import dev.cairn.benchmarks.models.OutputDigest;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The cases: each operator of ONNX's own domain in each form that both engines accept, tried with a few elements.
 *
 * @param all in the order of the table and of the forms
 * @param refused of which ONNX Runtime accepts a form that Cairn refuses, with Cairn's words
 * @param without operators that no form fits
 */
record BreadthCases(List<BreadthCase> all, List<String> refused, Collection<String> without) {
  /** The first one in which an operator is accepted is measured in all sizes. */
  private static final List<DType> DTYPES = List.of(DType.FLOAT32, DType.INT64, DType.UINT8, DType.FLOAT16,
    DType.FLOAT64, DType.BOOL);

  BreadthCases {
    all = List.copyOf(all);
    refused = List.copyOf(refused);
  }

  /**
   * Looks for them.
   *
   * @param operators names of those to look at; all when empty
   * @param file where models may be written
   */
  static BreadthCases find(List<String> operators, long seed, Path file) throws IOException {
    List<BreadthCase> all = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    Collection<String> without = new TreeSet<>();
    for (OperatorDefinition row : StandardOperators.table().rows()) {
      boolean isWanted = operators.isEmpty() || operators.contains(row.name());
      if (isWanted && row.facts().onnx().domain().isEmpty() && !row.facts().draws()) {
        int before = all.size();
        for (Form form : Forms.ALL) {
          if (form.isFor(row)) {
            add(row, form, seed, file, all, refused);
          }
        }
        if (all.size() == before) {
          without.add(row.name());
        }
      }
    }
    return new BreadthCases(all, refused, without);
  }

  /** So many of them, chosen by the seed; all when there are no more. */
  BreadthCases sample(int count, long seed) {
    List<BreadthCase> mixed = new ArrayList<>(all);
    Collections.shuffle(mixed, new Random(seed));
    return new BreadthCases(mixed.subList(0, Math.min(count, mixed.size())), refused, without);
  }

  /**
   * The cases of a form: with the first element type that is accepted, each place of the axis in the typical size, and
   * one place in the other sizes; with further element types one place in the typical size. The seed chooses it.
   */
  private static void add(OperatorDefinition row, Form form, long seed, Path file, List<BreadthCase> all,
    List<String> refused) throws IOException {
    int chosen = Math.floorMod(31 * row.name().hashCode() + form.name().hashCode() + seed, form.places());
    boolean first = true;
    for (DType dtype : DTYPES) {
      int before = all.size();
      for (int place = 0; place < form.places(); place++) {
        var tiny = new BreadthCase(row.name(), form, Size.TINY, place, dtype, false);
        int operands = tiny.node(seed).operandCount();
        boolean fits = operands >= row.minInputs() && operands <= row.maxInputs();
        BreadthCase tried = fits && (first || place == chosen) ? tried(tiny, seed, file, refused) : null;
        if (tried != null) {
          boolean everySize = first && place == chosen && form.allSizes();
          List<Size> sizes = everySize ? List.of(Size.SMALL, Size.TYPICAL, Size.LARGE) : List.of(Size.TYPICAL);
          sizes.forEach(size -> all.add(tried.of(size)));
        }
      }
      first &= all.size() == before;
    }
  }

  /** The case, with positive numbers where others have no result; null when an engine refuses it. */
  private static @Nullable BreadthCase tried(BreadthCase tiny, long seed, Path file, List<String> refused)
    throws IOException {
    try (BothEngines engines = BothEngines.open(tiny, seed, 1, file)) {
      OutputDigest digest = engines.digest();
      return digest.notFinite() > 0 ? tiny.ofPositive() : tiny;
    } catch (OrtException e) {
      return null;
    } catch (RuntimeException e) {
      refused.add("%s: %s".formatted(tiny, String.valueOf(e.getMessage()).lines().findFirst().orElse("")));
      return null;
    }
  }
}
