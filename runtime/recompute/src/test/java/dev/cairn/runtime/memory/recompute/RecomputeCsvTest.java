package dev.cairn.runtime.memory.recompute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecomputeCsvTest {
  private static final String HEADER = "id,name,phase,cost,bytes,reads\n";

  @Test
  void readsNodesCostsBytesAndReads() {
    RecomputeProblem problem = RecomputeCsv.parse(HEADER + "0,conv,forward,3,100,\n1,relu,forward,1,50,0\n\n"
      + "2,sum,backward,2,10,0 1\n");
    assertThat(problem.nodes()).isEqualTo(3);
    assertThat(problem.costOnce()).isEqualTo(6);
    assertThat(problem.name(1)).isEqualTo("relu");
    assertThat(problem.floor()).isEqualTo(new RecomputeProblem.Floor(160, 2));
    assertThat(WordJudge.bytesByStep(problem, problem.givenOrder())).containsExactly(100, 150, 160);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "1,a,f,1,1,    | ids count up from 0: id=1 expected=0", //
    "0,a,f,1,1     | cells=5 columns=6", //
    "0,a,f,x,1,    | not a whole number: column=cost value=x", //
    "0,a,f,1,-1,   | negative: column=bytes value=-1", //
    "0,a,f,1,1,0   | a node reads earlier nodes only: id=0 reads=0"})
  void namesTheLineAtFault(String line, String message) {
    assertThatThrownBy(() -> RecomputeCsv.parse(HEADER + line)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("bad line: line=2").hasMessageContaining(message);
  }

  @Test
  void refusesOtherColumns() {
    assertThatThrownBy(() -> RecomputeCsv.parse("id,lower,upper,size\n"))
      .hasMessageContaining("columns differ: line=1 wanted=id,name,phase,cost,bytes,reads found=id,lower,upper,size");
  }
}
