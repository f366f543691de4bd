package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class TextFamilyTest {
  static final String CASES = """
    StringConcat(string[2x3], string[3]) -> string[2x3]
    StringConcat(string[2], int64[2]) !! element types differ: input0=string input1=int64
    StringConcat(string[2], string[3]) !! do not broadcast
    StringNormalizer{stopwords=["b"]}(string:[a,b,c]) -> string[2]
    StringNormalizer{stopwords=["A"]}(string:[a]) -> string[1]
    StringNormalizer{stopwords=["A"], is_case_sensitive=1}(string:[a,b]) -> string[2]
    StringNormalizer(string[2x2]) !! strings [C] or [1,C] are needed
    StringNormalizer(int64[2]) !! unsupported element type: input=0 dtype=int64
    StringNormalizer{case_change_action="TITLE"}(string:[a]) !! unknown change of case
    StringNormalizer(string[2]) !! the result's shape depends on a value
    StringSplit{delimiter="-"}(string:[a-b,c]) -> string[2x2], int64[2]
    StringSplit{maxsplit=1}(string:[a b c]) -> string[1x2], int64[1]
    StringSplit(float32[2]) !! unsupported element type: input=0 dtype=float32
    Tokenizer{separators=["-"], mark=0, mincharnum=1, pad_value="#"}(string:[a-b,c]) -> string[2x2]
    Tokenizer{tokenexp="[a-z]+", mark=1, mincharnum=1, pad_value="#"}(string:[a-b,c]) -> string[2x4]
    Tokenizer{mark=1}(string:[a-b,c]) !! either separators or a pattern of words is needed
    Tokenizer{separators=["-"]}(string[2]) !! the result's shape depends on a value
    MurmurHash3(string[2x3]) -> uint32[2x3]
    MurmurHash3{positive=0, seed=7}(int64[4]) -> int32[4]
    MurmurHash3(float16[4]) !! unsupported element type: input=0 dtype=float16
    RegexFullMatch{pattern="a.c"}(string[2x3]) -> bool[2x3]
    RegexFullMatch(string[2]) !! the pattern is missing
    RegexFullMatch{pattern="*a"}(string[2]) !! Dangling meta character
    RegexFullMatch{pattern="a"}(int64[2]) !! unsupported element type
    TfIdfVectorizer{mode="TF", pool_int64s=[1,2,3,4], ngram_counts=[0,2], ngram_indexes=[0,1,4]}(int64[6]) -> float32[5]
    TfIdfVectorizer{mode="TF", pool_strings=["a"], ngram_counts=[0], ngram_indexes=[0]}(string[6]) -> float32[1]
    TfIdfVectorizer{mode="TF", pool_int64s=[1], ngram_counts=[0], ngram_indexes=[0]}(string[6]) !! the pool is
    TfIdfVectorizer{mode="TF", pool_int64s=[1,2], ngram_counts=[0,1], ngram_indexes=[0]}(int64[6]) !! n-grams do not fit
    TfIdfVectorizer{mode="TF", pool_int64s=[1], ngram_counts=[0], ngram_indexes=[0,1]}(int64[6]) !! impossible n-grams
    TfIdfVectorizer{mode="X", pool_int64s=[1], ngram_counts=[0], ngram_indexes=[0]}(int64[6]) !! unknown mode: mode="X"
    TfIdfVectorizer{mode="TF", pool_int64s=[1], ngram_counts=[0], ngram_indexes=[0]}(int64[1x2x3]) !! elements [C] or
    TfIdfVectorizer{mode="IDF", pool_int64s=[1], ngram_counts=[0], ngram_indexes=[3], weights=[0.5,1]}(int64[6]) !! one
    LabelEncoder{keys_strings=["a","b"], values_int64s=[1,2]}(string[2x3]) -> int64[2x3]
    LabelEncoder{keys_int64s=[1,2], values_strings=["a","b"]}(int64[4]) -> string[4]
    LabelEncoder{classes_strings=["a","b"]}(int64[4]) -> string[4]
    LabelEncoder{classes_strings=["a","b"]}(string[4]) -> int64[4]
    LabelEncoder{keys_tensor=int64:[1,2], values_tensor=float64:[0.5,1]}(int64[4]) -> float64[4]
    LabelEncoder{keys_strings=["a"], values_int64s=[1,2]}(string[2]) !! one value for each key is needed
    LabelEncoder{keys_strings=["a"], values_int64s=[1]}(int64[2]) !! keys are of another element type
    CategoryMapper{cats_strings=["a","b"], cats_int64s=[1,2]}(string[2x3]) -> int64[2x3]
    CategoryMapper{cats_strings=["a","b"], cats_int64s=[1,2]}(int64[2x3]) -> string[2x3]
    CategoryMapper{cats_strings=["a"], cats_int64s=[1,2]}(int64[4]) !! one value for each key is needed
    LabelEncoder{keys_strings=["a"]}(string[2]) !! labels are missing: attribute=values_*
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
