package dev.cairn.kernels.cpu.text;

import dev.cairn.kernels.attribute.NormalizedStrings;
import dev.cairn.kernels.attribute.PatternForm;
import dev.cairn.kernels.attribute.SplitStrings;
import dev.cairn.kernels.attribute.TokenForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.regex.Pattern;

/** Operators that read strings one by one. */
public final class CpuStrings {
  private CpuStrings() {}

  /** {@code StringNormalizer}: drops stop words, and changes the case of the rest. */
  public static void normalize(KernelCall call) {
    call.bindOutput(0, StringElements.of(call.output(0).shape(), NormalizedStrings.of(call.attributes(), call.input(
      0))));
  }

  /** {@code StringSplit}: the parts of each string, filled up with empty ones, and how many there are. */
  public static void split(KernelCall call) {
    var parts = SplitStrings.of(call.attributes(), call.input(0));
    call.bindOutput(0, StringElements.of(call.output(0).shape(), parts.padded()));
    for (int i = 0; call.outputCount() > 1 && i < parts.all().size(); i++) {
      call.output(1).segment().set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, parts.all().get(i).size());
    }
  }

  /** {@code Tokenizer}: the words of each string, filled up. */
  public static void tokenize(KernelCall call) {
    TokenForm form = TokenForm.of(call.attributes());
    List<List<String>> words = form.words(call.input(0));
    call.bindOutput(0, StringElements.of(call.output(0).shape(), form.padded(words, TokenForm.most(words))));
  }

  /** {@code RegexFullMatch}: whether the whole string matches. */
  public static void matches(KernelCall call) {
    TensorView x = call.input(0);
    Pattern pattern = Pattern.compile(PatternForm.of(call.attributes()).pattern().orElse(""));
    for (long i = 0; i < x.elementCount(); i++) {
      boolean matches = pattern.matcher(StringElements.at(x, i)).matches();
      call.output(0).segment().set(ValueLayout.JAVA_BYTE, i, (byte) (matches ? 1 : 0));
    }
  }
}
