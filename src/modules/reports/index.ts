export { reportSections, type ReportSection } from './report-section.ts';
