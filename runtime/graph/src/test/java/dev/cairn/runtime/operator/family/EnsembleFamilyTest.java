package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class EnsembleFamilyTest {
  private static final String TREE = "n_targets=2, tree_roots=[0], nodes_modes=uint8:[0], nodes_splits=float32:[0.5], "
    + "nodes_truenodeids=[0], nodes_trueleafs=[1], nodes_falseleafs=[1], leaf_targetids=[0,1], "
    + "leaf_weights=float32:[1,2]";
  private static final String OLD_TREE = "nodes_treeids=[0,0,0], nodes_nodeids=[0,1,2], nodes_featureids=[1,0,0], "
    + "nodes_values=[0.5,0.0,0.0], nodes_truenodeids=[1,0,0], nodes_falsenodeids=[2,0,0]";
  private static final String MODES = "nodes_modes=[\"BRANCH_LEQ\",\"LEAF\",\"LEAF\"]";
  private static final String CLASSES = "classlabels_int64s=[7,9], class_treeids=[0,0], class_nodeids=[1,2], "
    + "class_ids=[0,1], class_weights=[0.5,1.0]";
  private static final String TARGETS = "n_targets=1, target_treeids=[0,0], target_nodeids=[1,2], target_ids=[0,0], "
    + "target_weights=[0.5,1.0]";
  private static final String VECTORS = "support_vectors=[1.0,2.0,3.0,4.0], rho=[0.5]";
  static final String CASES = """
    TreeEnsembleClassifier{MODES, OLD, CLASSES}(float32[5x3]) -> int64[5], float32[5x2]
    TreeEnsembleClassifier{MODES, OLD, CLASSES}(int64[3]) -> int64[1]
    TreeEnsembleClassifier{MODES, OLD, CLASSES}(float32[5x1]) !! attribute=nodes_featureids index=1 count=1
    TreeEnsembleClassifier{MODES, OLD}(float32[5x3]) !! labels of classes are missing
    TreeEnsembleClassifier{nodes_modes=["LEQ"], OLD, CLASSES}(float32[5x3]) !! attribute=nodes_modes values=1 wanted=3
    TreeEnsembleRegressor{MODES, OLD, TARGETS}(float64[5x3]) -> float32[5x1]
    TreeEnsembleRegressor{MODES, OLD, TARGETS, aggregate_function="ALL"}(float64[5x3]) !! no such combination of trees
    TreeEnsembleRegressor{MODES, OLD, TARGETS}(float32[2x5x3]) !! rows of features are needed
    SVMRegressor{coefficients=[0.5,1.5], n_supports=2, VECTORS}(float32[3x2]) -> float32[3x1]
    SVMRegressor{coefficients=[0.5,1.5], n_supports=2, VECTORS}(float32[3x3]) !! rows and vectors differ in length
    SVMRegressor{coefficients=[0.5], n_supports=2, VECTORS}(float32[3x2]) !! attribute=coefficients values=1 wanted=2
    SVMClassifier{coefficients=[0.5,1.5], classlabels_ints=[3,4], vectors_per_class=[1,1], VECTORS}(float32[3x2]) -> \
    int64[3], float32[3x2]
    SVMClassifier{coefficients=[0.5], classlabels_ints=[3,4], vectors_per_class=[1,1], VECTORS}(float32[3x2]) !! \
    attribute=coefficients values=1 wanted=2
    OneHotEncoder{cats_strings=["a","b"]}(string[2x3]) -> float32[2x3x2]
    OneHotEncoder{cats_int64s=[1,2,3]}(float32[2]) -> float32[2x3]
    OneHotEncoder{cats_int64s=[1,2,3]}(string[2]) !! categories are of another element type
    OneHotEncoder(int64[2]) !! categories are missing
    FeatureVectorizer{inputdimensions=[2,3]}(float32[4x2], int64[4x3]) -> float32[4x5]
    FeatureVectorizer{inputdimensions=[2]}(float32[4x2], int64[4x3]) !! one number of columns for each input
    FeatureVectorizer{inputdimensions=[2,3]}(float32[4x2], int64[3x3]) !! inputs have different numbers of rows
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], TREE}(float32[5x3]) -> float32[5x2]
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], TREE}(float64[1x3]) -> float64[1x2]
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], TREE}(float32[5]) !! rows of features are needed
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], TREE}(int64[5x3]) !! unsupported element type
    TreeEnsemble{nodes_featureids=[3], nodes_falsenodeids=[1], TREE}(float32[5x3]) !! attribute=nodes_featureids index=3
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[2], TREE}(float32[5x3]) !! attribute=nodes_*nodeids index=2
    TreeEnsemble{nodes_featureids=[2,1], nodes_falsenodeids=[1], TREE}(float32[5x3]) !! attribute=nodes_modes wanted=2
    TreeEnsemble{nodes_featureids=[2], TREE}(float32[5x3]) !! attribute=nodes_falsenodeids values=0 wanted=1
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], aggregate_function=4, TREE}(float32[5x3]) !! no such \
    combination of trees
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], post_transform=5, TREE}(float32[5x3]) !! no such \
    transform
    """
    .replace("{MODES, OLD", "{" + MODES + ", " + OLD_TREE).replace(", OLD", ", " + OLD_TREE).replace("CLASSES", CLASSES)
    .replace("TARGETS", TARGETS).replace("VECTORS", VECTORS).replace(", TREE", ", " + TREE);

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
