package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class EnsembleFamilyTest {
  private static final String TREE = "n_targets=2, tree_roots=[0], nodes_modes=uint8:[0], nodes_splits=float32:[0.5], "
    + "nodes_truenodeids=[0], nodes_trueleafs=[1], nodes_falseleafs=[1], leaf_targetids=[0,1], "
    + "leaf_weights=float32:[1,2]";
  static final String CASES = """
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], TREE}(float32[5x3]) -> float32[5x2]
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], TREE}(float64[1x3]) -> float64[1x2]
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], TREE}(float32[5]) !! rows of features are needed
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[1], TREE}(int64[5x3]) !! unsupported element type
    TreeEnsemble{nodes_featureids=[3], nodes_falsenodeids=[1], TREE}(float32[5x3]) !! attribute=nodes_featureids index=3
    TreeEnsemble{nodes_featureids=[2], nodes_falsenodeids=[2], TREE}(float32[5x3]) !! attribute=nodes_*nodeids index=2
    TreeEnsemble{nodes_featureids=[2,1], nodes_falsenodeids=[1], TREE}(float32[5x3]) !! attribute=nodes_modes wanted=2
    TreeEnsemble{nodes_featureids=[2], TREE}(float32[5x3]) !! attribute=nodes_falsenodeids values=0 nodes=1
    TreeEnsemble{post_transform=1, TREE}(float32[5x3]) !! no such combination of trees
    """.replace("TREE", TREE);

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
