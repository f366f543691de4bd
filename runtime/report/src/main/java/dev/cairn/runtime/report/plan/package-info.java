/**
 * A memory plan as files: a picture (SVG), a page around it (HTML), and the plan itself (CSV, JSON).
 *
 * <p>Start at {@link dev.cairn.runtime.report.plan.PlanView}, what all of them show: a plan, its problem, and what each
 * buffer is for. {@link dev.cairn.runtime.report.plan.PlanPicture} draws it: time goes across, address goes up, one
 * rectangle a buffer. {@code PictureFrame} says where a time and an address lie, {@code BufferShapes} which buffers are
 * rectangles of their own and which are too small and go into strips, {@code KindColours} who gets which colour;
 * {@code SvgText} knows the format. {@link dev.cairn.runtime.report.plan.PlanPage} is the page, whose script and style
 * are resources beside it; {@link dev.cairn.runtime.report.plan.PlanJson} is for programs. Nothing here plans, and no
 * file needs another one or the network.
 */
@NullMarked
package dev.cairn.runtime.report.plan;

import org.jspecify.annotations.NullMarked;
