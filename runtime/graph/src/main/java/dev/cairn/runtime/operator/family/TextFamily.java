package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.HashForm;
import dev.cairn.kernels.attribute.LabelMap;
import dev.cairn.kernels.attribute.NgramPool;
import dev.cairn.kernels.attribute.NormalizedStrings;
import dev.cairn.kernels.attribute.PatternForm;
import dev.cairn.kernels.attribute.SplitStrings;
import dev.cairn.kernels.attribute.TermForm;
import dev.cairn.kernels.attribute.TokenForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;
import java.util.regex.Pattern;

/** Operators on strings, and those that turn words into numbers. */
public final class TextFamily {
  /** Why the gradient of an operator of tables is zero. */
  static final String LOOKED_UP = "it looks words or numbers up";

  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("CategoryMapper", 1, 1, TextFamily::labels, MemoryTraits.NONE)
      .ofDomain(OnnxFacts.CLASSIC).zeroGradient(LOOKED_UP),
    new OperatorDefinition("LabelEncoder", 1, 1, TextFamily::labels, MemoryTraits.NONE)
      .ofDomain(OnnxFacts.CLASSIC).zeroGradient(LOOKED_UP),
    new OperatorDefinition("MurmurHash3", 1, 1, TextFamily::hashes, MemoryTraits.NONE).ofDomain(OnnxFacts.MICROSOFT)
      .zeroGradient("it hashes"),
    new OperatorDefinition("RegexFullMatch", 1, 1, TextFamily::matches, MemoryTraits.NONE).zeroGradient(LOOKED_UP),
    new OperatorDefinition("StringConcat", 2, 2, TextFamily::concat, MemoryTraits.NONE).named("X", "Y")
      .zeroGradient(LOOKED_UP),
    new OperatorDefinition("StringNormalizer", 1, 1, TextFamily::normalized, MemoryTraits.NONE).zeroGradient(LOOKED_UP),
    new OperatorDefinition("StringSplit", 1, 1, TextFamily::split, MemoryTraits.NONE).zeroGradient(LOOKED_UP),
    new OperatorDefinition("TfIdfVectorizer", 1, 1, TextFamily::counted, MemoryTraits.NONE).zeroGradient(LOOKED_UP),
    new OperatorDefinition("Tokenizer", 1, 1, TextFamily::tokens, MemoryTraits.NONE)
      .ofDomain(OnnxFacts.MICROSOFT).zeroGradient(LOOKED_UP));

  private TextFamily() {}

  private static List<TensorType> labels(TypeContext context) {
    LabelMap labels = LabelMap.of(context.attributes(), context.dtype(0));
    if (labels.keyType() != context.dtype(0)) {
      throw context.fault("keys are of another element type: keys=%s input=%s".formatted(labels.keyType(), context
        .dtype(0)));
    }
    return List.of(context.input(0).withDType(labels.valueType()));
  }

  private static List<TensorType> hashes(TypeContext context) {
    AdmittedTypes.HASHED.require(context, 0);
    return List.of(context.input(0).withDType(HashForm.of(context.attributes()).isPositive()
      ? DType.UINT32
      : DType.INT32));
  }

  private static List<TensorType> matches(TypeContext context) {
    AdmittedTypes.STRINGS.require(context, 0);
    Pattern.compile(PatternForm.of(context.attributes()).pattern().orElseThrow(() -> context.fault(
      "the pattern is missing: attribute=pattern")));
    return List.of(context.input(0).withDType(DType.BOOL));
  }

  private static List<TensorType> concat(TypeContext context) {
    AdmittedTypes.STRINGS.require(context, 0, 1);
    return List.of(context.input(0).withShape(context.shape(0).broadcastWith(context.shape(1))));
  }

  private static List<TensorType> normalized(TypeContext context) {
    AdmittedTypes.STRINGS.require(context, 0);
    Shape x = context.shape(0);
    if (x.rank() != 1 && !(x.rank() == 2 && x.extent(0) == 1)) {
      throw context.fault("strings [C] or [1,C] are needed: input=" + x);
    }
    long kept = NormalizedStrings.of(context.attributes(), context.value(0)).size();
    return List.of(context.input(0).withShape(x.with(x.rank() - 1, kept)));
  }

  private static List<TensorType> split(TypeContext context) {
    AdmittedTypes.STRINGS.require(context, 0);
    Shape x = context.shape(0);
    long most = SplitStrings.of(context.attributes(), context.value(0)).most();
    return context.first(context.input(0).withShape(x.inserted(x.rank(), most)), context.input(0).withDType(
      DType.INT64));
  }

  /** Words become a last axis, as many as the longest string has. */
  private static List<TensorType> tokens(TypeContext context) {
    AdmittedTypes.STRINGS.require(context, 0);
    Shape x = context.shape(0);
    if (x.rank() < 1 || x.rank() > 2) {
      throw context.fault("strings [C] or [N,C] are needed: input=" + x);
    }
    long most = TokenForm.most(TokenForm.of(context.attributes()).words(context.value(0)));
    return List.of(context.input(0).withShape(x.inserted(x.rank(), most)));
  }

  private static List<TensorType> counted(TypeContext context) {
    DType dtype = AdmittedTypes.WORDS.require(context, 0);
    Shape x = context.shape(0);
    if (x.rank() < 1 || x.rank() > 2) {
      throw context.fault("elements [C] or [N,C] are needed: input=" + x);
    }
    if (TermForm.of(context.attributes()).isOfStrings() != (dtype == DType.STRING)) {
      throw context.fault("the pool is of another element type: input=" + dtype);
    }
    NgramPool pool = NgramPool.of(context.attributes());
    String mode = TermForm.of(context.attributes()).mode();
    if (!List.of("TF", "IDF", "TFIDF").contains(mode)) {
      throw context.fault("unknown mode: mode=\"%s\"".formatted(mode));
    }
    return List.of(new TensorType(DType.FLOAT32, x.with(x.rank() - 1, pool.width())));
  }
}
