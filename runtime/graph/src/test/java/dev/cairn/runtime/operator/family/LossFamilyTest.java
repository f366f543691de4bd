package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class LossFamilyTest {
  static final String CASES = """
    SoftmaxCrossEntropyLoss(float32[5x3], int64[5]) -> float32[scalar]
    SoftmaxCrossEntropyLoss{reduction="none"}(float16[5x3x2], int32[5x2], float16[3]) -> float16[5x2], float16[5x3x2]
    SoftmaxCrossEntropyLoss{reduction="all"}(float32[5x3], int64[5]) !! reduction="all"; use none, sum or mean
    SoftmaxCrossEntropyLoss(float32[5x3], int64[3]) !! one label for each item is needed: input=1 shape=3 wanted=5
    SoftmaxCrossEntropyLoss(float32[5x3], int64[5], float32[5]) !! one weight for each class is needed
    SoftmaxCrossEntropyLoss(float32[5x3], float32[5]) !! dtype=float32
    SoftmaxCrossEntropyLoss(float32[5], int64[5]) !! axes for items and classes
    SoftmaxCrossEntropyLoss(float32[5x3], int64[5]) !!3 wrong number of results
    SoftmaxCrossEntropyLossGradient(float32[scalar], float32[5x3], int64[5]) -> float32[5x3]
    SoftmaxCrossEntropyLossGradient{reduction="none"}(float32[5], float32[5x3], int64[5], float32[3]) -> float32[5x3]
    SoftmaxCrossEntropyLossGradient{reduction="none"}(float32[scalar], float32[5x3], int64[5]) !! not the shape of
    NegativeLogLikelihoodLoss{reduction="sum"}(float32[5x3], int64[5], float32[3]) -> float32[scalar]
    NegativeLogLikelihoodLoss(float32[5x3], int64[5]) !!2 wrong number of results
    NegativeLogLikelihoodLossGradient{classes=3}(float64[scalar], int64[5x2]) -> float64[5x3x2]
    NegativeLogLikelihoodLossGradient{classes=3, reduction="none"}(float64[5], int64[5], float64[3]) -> float64[5x3]
    NegativeLogLikelihoodLossGradient(float64[scalar], int64[5x2]) !! classes and labels are needed: classes=0
    NegativeLogLikelihoodLossGradient{classes=3}(float64[5], int64[5]) !! not the shape of the loss
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
