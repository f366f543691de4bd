package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Block;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One test for each rule of the two splits, on trees filled by hand. */
class AllocationTreeTest {
  private int blocks;

  @Test
  void equalSizeAndDisjointInTimeAreSideBySideInTime() {
    AllocationTree tree = tree(block(100, 0, 2));
    assertThat(tree.allocate(block(100, 2, 4), false)).isTrue();
    assertThat(text(tree)).isEqualTo("T100[100, 100]");
  }

  @Test
  void smallerLeavesRoomBesideIt() {
    AllocationTree tree = tree(block(100, 0, 2));
    assertThat(tree.allocate(block(60, 2, 4), false)).isTrue();
    assertThat(text(tree)).isEqualTo("T100[100, (T60[60] | T40[empty 40])]");
  }

  @Test
  void biggerAtTheEndWrapsEveryChild() {
    AllocationTree tree = tree(block(100, 0, 2));
    tree.allocate(block(100, 2, 4), true);
    assertThat(tree.allocate(block(130, 4, 6), true)).isTrue();
    assertThat(text(tree))
      .isEqualTo("T130[(T100[100] | T30[empty 30]), (T100[100] | T30[empty 30]), 130]");
  }

  @Test
  void biggerElsewhereDoesNotFit() {
    AllocationTree tree = tree(block(100, 0, 2));
    assertThat(tree.allocate(block(101, 2, 4), false)).isFalse();
    assertThat(text(tree)).isEqualTo("T100[100]");
  }

  @Test
  void oneOverlapIsAskedAndABlockAnswersNo() {
    AllocationTree tree = tree(block(100, 0, 2));
    assertThat(tree.allocate(block(10, 1, 3), true)).isFalse();
    tree.allocate(block(60, 2, 4), false);
    assertThat(tree.allocate(block(40, 3, 5), false)).isTrue();
    assertThat(text(tree)).isEqualTo("T100[100, (T60[60] | T40[40])]");
  }

  @Test
  void twoOverlapsAreTooMany() {
    AllocationTree tree = tree(block(100, 0, 2));
    tree.allocate(block(60, 2, 4), false);
    assertThat(tree.allocate(block(10, 1, 3), true)).isFalse();
  }

  @Test
  void whatFitsNowhereGoesToTheEndOfThePool() {
    AllocationPool pool = new AllocationPool(block(100, 0, 2), true, 64);
    assertThat(pool.allocate(block(30, 1, 3), false)).isFalse();
    assertThat(pool.allocate(block(30, 1, 3), true)).isTrue();
    assertThat(text(pool.root())).isEqualTo("T158[(T100[100] | T30[30])]");
    assertThat(new AllocationPool(block(100, 0, 2), false, 64).allocate(block(30, 1, 3), true)).isFalse();
  }

  @Test
  void aLoneEmptyChildIsDropped() {
    AllocationTree tree = tree(block(100, 0, 2));
    tree.allocate(block(60, 2, 4), false);
    tree.allocate(block(10, 2, 4), false);
    assertThat(text(tree)).isEqualTo("T100[100, (T60[60] | T40[(T10[10] | T30[empty 30])])]");
  }

  @Test
  void theLeftSideIsAskedFirstAndNeverGrows() {
    AllocationPool pool = new AllocationPool(block(100, 0, 2), true, 1);
    pool.allocate(block(50, 0, 2), true);
    pool.allocate(block(50, 2, 4), true);
    assertThat(text(pool.root())).isEqualTo("T150[(T100[100] | T50[50]), (T50[50] | T100[empty 100])]");
    pool.allocate(block(90, 2, 4), true);
    assertThat(text(pool.root())).contains("(T50[50] | T100[(T90[90] | T10[empty 10])])");
  }

  @Test
  void theRightSideGrowsIfItIsTheLastOfAll() {
    AllocationTree tree = tree(block(100, 0, 2));
    tree.allocateAtEnd(block(10, 1, 3));
    assertThat(tree.allocate(block(30, 0, 1), false)).isFalse();
    assertThat(tree.allocate(block(30, 0, 1), true)).isTrue();
    assertThat(text(tree)).isEqualTo("T130[(T100[100] | T30[(T10[10] | T20[empty 20]), 30])]");
  }

  @Test
  void leftSidesAreRoundedUpRightSidesAreNot() {
    AllocationTree tree = new AllocationTree(block(100, 0, 2), 64);
    tree.allocate(block(50, 2, 4), false);
    assertThat(text(tree)).isEqualTo("T114[100, (T50[50] | T50[empty 50])]");
    assertThat(new TreeLayout("0", tree.root(), 64).bytes()).hasToString("100");
  }

  @Test
  void aBlockOfNoBytesHasAPlaceToo() {
    AllocationTree tree = tree(block(0, 0, 2));
    assertThat(tree.allocate(block(0, 2, 4), false)).isTrue();
    assertThat(tree.allocate(block(8, 4, 6), true)).isTrue();
    assertThat(tree.allocate(block(0, 6, 7), false)).isTrue();
    assertThat(text(tree))
      .isEqualTo("T8[(T0[0] | T8[empty 8]), (T0[0] | T8[empty 8]), 8, (T0[0] | T8[empty 8])]");
  }

  private AllocationTree tree(Block block) {
    return new AllocationTree(block, 1);
  }

  private Block block(long bytes, long begin, long end) {
    return new Block(blocks, LineBuffer.of("b" + blocks++, bytes), new LiveRange(begin, end), false);
  }

  private static String text(AllocationTree tree) {
    return text(tree.root());
  }

  private static String text(TemporalSplit split) {
    return split.children.stream().map(AllocationTreeTest::text)
      .collect(Collectors.joining(", ", "T" + split.hintBytes() + "[", "]"));
  }

  private static String text(TreeNode node) {
    return switch (node) {
      case Block block -> Long.toString(block.hintBytes);
      case TreeNode.Empty empty -> "empty " + empty.hintBytes();
      case TreeNode.SpatialSplit sides -> "(" + text(sides.left) + " | " + text(sides.right) + ")";
    };
  }
}
