package dev.cairn.runtime.report.plan;

/**
 * The look of a picture, for light and dark viewers. Plain rules without variables: viewers other than browsers know
 * them, too. The colours are those of Okabe and Ito ("Color Universal Design", 2008), which colour-blind people can
 * distinguish, lighter where names are written on them.
 */
final class PictureStyle {
  static final String CSS = """

    .cairn-plan{font:11px system-ui,sans-serif}
    .cairn-plan .back{fill:#fff}
    .cairn-plan .head{font-size:14px;font-weight:600;fill:#1b1f24}
    .cairn-plan .ink{fill:#1b1f24}
    .cairn-plan .dim{fill:#57606a}
    .cairn-plan .name{font-size:10px;fill:#111;pointer-events:none}
    .cairn-plan .grid{stroke:#8c959f;stroke-opacity:.3}
    .cairn-plan .tick,.cairn-plan .most{stroke:#57606a;vector-effect:non-scaling-stroke}
    .cairn-plan .bound{stroke:#cf222e;stroke-dasharray:6 4}
    .cairn-plan .peak,.cairn-plan .pool{stroke:#57606a;stroke-dasharray:2 3}
    .cairn-plan .live{fill:#8c959f;fill-opacity:.45}
    .cairn-plan .e{stroke:#fff;stroke-width:.7;vector-effect:non-scaling-stroke}
    .cairn-plan .plot rect:hover{stroke:#000;stroke-width:1.5;vector-effect:non-scaling-stroke}
    .cairn-plan .c0{fill:#4e9fd1}.cairn-plan .c1{fill:#e8b04a}
    .cairn-plan .c2{fill:#3fb594}.cairn-plan .c3{fill:#d99abb}
    .cairn-plan .c4{fill:#94cff0}.cairn-plan .c5{fill:#e58a4e}
    .cairn-plan .c6{fill:#e3d95c}.cairn-plan .c7{fill:#a593d8}
    .cairn-plan .o{fill:#9aa4ae}.cairn-plan .w{fill:#cdd3d9}.cairn-plan .s{fill:#9aa4ae}
    .cairn-plan .p{fill-opacity:.25}
    .cairn-plan .x{fill:#cf222e}
    .cairn-plan .held{fill:none;stroke:#1b1f24;stroke-width:1.2;vector-effect:non-scaling-stroke}
    @media (prefers-color-scheme:dark){
    .cairn-plan .back{fill:#0d1117}
    .cairn-plan .head,.cairn-plan .ink{fill:#e6edf3}
    .cairn-plan .dim{fill:#9198a1}
    .cairn-plan .tick,.cairn-plan .most,.cairn-plan .peak,.cairn-plan .pool{stroke:#9198a1}
    .cairn-plan .bound{stroke:#ff7b72}
    .cairn-plan .e{stroke:#0d1117}
    .cairn-plan .x{fill:#ff7b72}
    .cairn-plan .held{stroke:#e6edf3}
    .cairn-plan .plot rect:hover{stroke:#fff}
    .cairn-plan .o{fill:#9aa4ae}.cairn-plan .w{fill:#7d8590}.cairn-plan .s{fill:#6e7681}
    }
    """;

  private PictureStyle() {}
}
