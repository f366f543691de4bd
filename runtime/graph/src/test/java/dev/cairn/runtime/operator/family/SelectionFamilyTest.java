package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class SelectionFamilyTest {
  static final String CASES = """
    Compress{axis=1}(float32[2x3], bool[2]) !! only known when the model runs: input=1
    Compress(float32[2x3], bool:[0,1]) -> float32[1]
    Compress{axis=-1}(float32[2x3], bool:[1,1,0]) -> float32[2x2]
    Compress{axis=0}(float32[2x3], bool:[0,0,1]) !! the condition is true beyond the axis: index=2 extent=2
    BifurcationDetector{min_ngram_size=1, max_ngram_size=2}(int64:[1,2,3], int64:[7], int64:[1], int64:[2,4,5]) -> \
    int64[3], int64[1]
    BifurcationDetector{min_ngram_size=1, max_ngram_size=2}(int64:[1,2,3], int64:[7], int64:[1]) -> int64[1], int64[1]
    BifurcationDetector{min_ngram_size=1, max_ngram_size=2}(int64:[1,2,3], int64:[7], int64:[1], int64:[2,4]) !! \
    predicted words do not fit: source=3 next=1 predicted=2
    BifurcationDetector{max_ngram_size=2}(int64:[1,2,3], int64:[7], int64:[1]) !! no such runs: min_ngram_size=0
    BifurcationDetector{min_ngram_size=1, max_ngram_size=2}(int64[3], int64[2], int64[1]) !! only known when the model
    BifurcationDetector{min_ngram_size=1, max_ngram_size=2}(int64[1x3], int64[2], int64[1]) !! not a list: input=0
    DynamicTimeWarping(float32:[1,2]) !! a matrix of costs is needed: input=2
    DynamicTimeWarping(float32[2x3]) !! only known when the model runs: input=0
    DynamicTimeWarping(float32[0x3]) -> int32[2x0]
    DynamicTimeWarping(int32[2x3]) !! unsupported element type
    NonMaxSuppression(float32[1x6x4], float32[1x2x6]) -> int64[0x3]
    NonMaxSuppression(float32[1x6x4], float32[1x2x6], int64:[5]) !! only known when the model runs: input=0
    NonMaxSuppression(float32:[0,0,1,1], float32[1]) !! boxes [batch,box,4] and scores [batch,class,box] are needed
    NonZero(float32[2x3]) !! only known when the model runs: input=0
    NonZero(int64:[0,1,2,0]) -> int64[1x2]
    TopK(float32[2x5], int64:[3]) -> float32[2x3], int64[2x3]
    TopK{axis=0}(float32[2x5], int64:[0]) -> float32[0x5], int64[0x5]
    TopK(float32[2x5], int64:[6]) !!2 more elements are asked for than there are: k=6 axis=1 extent=5
    TopK(float32[2x5], int64[1]) !!2 only known when the model runs: input=1
    Unique(float32[5]) !! only known when the model runs: input=0
    Unique(int64:[2,1,2]) -> int64[2], int64[2], int64[3], int64[2]
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
