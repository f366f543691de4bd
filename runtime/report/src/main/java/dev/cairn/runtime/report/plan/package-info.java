/**
 * Writes a memory plan as a picture (SVG), a page with the picture (HTML), or data (CSV, JSON).
 *
 * <p>Start at {@link dev.cairn.runtime.report.plan.PlanView}, the content of all of them: a plan, its problem, and the
 * purpose of each buffer. {@link dev.cairn.runtime.report.plan.PlanPicture} draws one rectangle for each buffer: time
 * goes across, addresses go up. {@code PictureFrame} maps times and addresses to coordinates. {@code BufferShapes}
 * chooses the buffers with their own rectangles and combines small ones into strips. {@code KindColours} assigns
 * colours; {@code SvgText} writes the format. {@link dev.cairn.runtime.report.plan.PlanPage} is the page, with its
 * script and style as resources; {@link dev.cairn.runtime.report.plan.PlanJson} is for programs. {@link
 * dev.cairn.runtime.report.plan.RunMemoryRecorder} records what a run holds, {@code HeldValues} finds how long, and
 * {@link dev.cairn.runtime.report.plan.PlanAndRun} compares. This package plans nothing, and its files need neither
 * other files nor the network.
 */
@NullMarked
package dev.cairn.runtime.report.plan;

import org.jspecify.annotations.NullMarked;
