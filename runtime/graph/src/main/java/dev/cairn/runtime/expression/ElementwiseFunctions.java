package dev.cairn.runtime.expression;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import java.util.List;

/**
 * Functions of each element by itself. Two operands broadcast as NumPy's do, and have one element type: nothing is
 * promoted silently. A Java number takes the element type of the expression.
 */
public interface ElementwiseFunctions<T extends ElementwiseFunctions<T>> extends OperatorCalls<T> {
  default T abs() {
    return call("Abs", Attributes.NONE);
  }

  default T acos() {
    return call("Acos", Attributes.NONE);
  }

  default T acosh() {
    return call("Acosh", Attributes.NONE);
  }

  default T asin() {
    return call("Asin", Attributes.NONE);
  }

  default T asinh() {
    return call("Asinh", Attributes.NONE);
  }

  default T atan() {
    return call("Atan", Attributes.NONE);
  }

  default T atanh() {
    return call("Atanh", Attributes.NONE);
  }

  default T bitwiseNot() {
    return call("BitwiseNot", Attributes.NONE);
  }

  default T ceil() {
    return call("Ceil", Attributes.NONE);
  }

  default T cos() {
    return call("Cos", Attributes.NONE);
  }

  default T cosh() {
    return call("Cosh", Attributes.NONE);
  }

  default T erf() {
    return call("Erf", Attributes.NONE);
  }

  default T exp() {
    return call("Exp", Attributes.NONE);
  }

  default T floor() {
    return call("Floor", Attributes.NONE);
  }

  default T isinf() {
    return call("IsInf", Attributes.NONE);
  }

  default T isnan() {
    return call("IsNaN", Attributes.NONE);
  }

  default T log() {
    return call("Log", Attributes.NONE);
  }

  default T logicalNot() {
    return call("Not", Attributes.NONE);
  }

  default T neg() {
    return call("Neg", Attributes.NONE);
  }

  default T reciprocal() {
    return call("Reciprocal", Attributes.NONE);
  }

  default T round() {
    return call("Round", Attributes.NONE);
  }

  default T sign() {
    return call("Sign", Attributes.NONE);
  }

  default T sin() {
    return call("Sin", Attributes.NONE);
  }

  default T sinh() {
    return call("Sinh", Attributes.NONE);
  }

  default T sqrt() {
    return call("Sqrt", Attributes.NONE);
  }

  default T tan() {
    return call("Tan", Attributes.NONE);
  }

  default T tanh() {
    return call("Tanh", Attributes.NONE);
  }

  default T add(T other) {
    return call("Add", Attributes.NONE, other);
  }

  default T add(Number other) {
    return add(scalar(other));
  }

  /** The sum of this expression and others, added in their order. */
  default T addAll(List<T> others) {
    return callAll("Sum", Attributes.NONE, 1, others).get(0);
  }

  default T sub(T other) {
    return call("Sub", Attributes.NONE, other);
  }

  default T sub(Number other) {
    return sub(scalar(other));
  }

  default T mul(T other) {
    return call("Mul", Attributes.NONE, other);
  }

  default T mul(Number other) {
    return mul(scalar(other));
  }

  default T div(T other) {
    return call("Div", Attributes.NONE, other);
  }

  default T div(Number other) {
    return div(scalar(other));
  }

  default T pow(T other) {
    return call("Pow", Attributes.NONE, other);
  }

  default T pow(Number other) {
    return pow(scalar(other));
  }

  default T eq(T other) {
    return call("Equal", Attributes.NONE, other);
  }

  default T eq(Number other) {
    return eq(scalar(other));
  }

  default T gt(T other) {
    return call("Greater", Attributes.NONE, other);
  }

  default T gt(Number other) {
    return gt(scalar(other));
  }

  default T ge(T other) {
    return call("GreaterOrEqual", Attributes.NONE, other);
  }

  default T ge(Number other) {
    return ge(scalar(other));
  }

  default T lt(T other) {
    return call("Less", Attributes.NONE, other);
  }

  default T lt(Number other) {
    return lt(scalar(other));
  }

  default T le(T other) {
    return call("LessOrEqual", Attributes.NONE, other);
  }

  default T le(Number other) {
    return le(scalar(other));
  }

  /** Whether elements differ. */
  default T ne(T other) {
    return eq(other).logicalNot();
  }

  /** Each element times itself. */
  default T square() {
    return apply("Mul", Attributes.NONE, 1, List.of(asOperand(), asOperand())).get(0);
  }

  @SuppressWarnings("unchecked")
  private T asOperand() {
    return (T) this;
  }

  /** The remainder with the divisor's sign, as Python's; of floats, with the dividend's sign, as C's. */
  default T mod(T other, boolean signOfDividend) {
    return call("Mod", Attributes.NONE.with("fmod", signOfDividend ? 1 : 0), other);
  }

  /** Each element within two bounds. */
  default T clip(Number low, Number high) {
    return clip(scalar(low), scalar(high));
  }

  /** Each element within two bounds, which are scalars. */
  default T clip(T low, T high) {
    return callAll("Clip", Attributes.NONE, 1, List.of(low, high)).get(0);
  }

  /** Takes the elements of the first expression where this one is true, and of the second where it is false. */
  default T where(T then, T otherwise) {
    return callAll("Where", Attributes.NONE, 1, List.of(then, otherwise)).get(0);
  }

  /** The same elements, through which no gradient flows. */
  default T stopGradient() {
    return call("StopGradient", Attributes.NONE);
  }

  /** The elements converted to another type, as {@code Cast} converts them. */
  default T astype(DType dtype) {
    return call("Cast", Attributes.NONE.with("to", new AttributeValue.Text(dtype.toString())));
  }

  /** The elements converted to the type of another expression. */
  default T castLike(T other) {
    return call("CastLike", Attributes.NONE, other);
  }

  default T maximum(T other) {
    return call("Max", Attributes.NONE, other);
  }

  default T minimum(T other) {
    return call("Min", Attributes.NONE, other);
  }

  default T logicalAnd(T other) {
    return call("And", Attributes.NONE, other);
  }

  default T logicalOr(T other) {
    return call("Or", Attributes.NONE, other);
  }

  default T logicalXor(T other) {
    return call("Xor", Attributes.NONE, other);
  }

  default T bitwiseAnd(T other) {
    return call("BitwiseAnd", Attributes.NONE, other);
  }

  default T bitwiseOr(T other) {
    return call("BitwiseOr", Attributes.NONE, other);
  }

  default T bitwiseXor(T other) {
    return call("BitwiseXor", Attributes.NONE, other);
  }
}
