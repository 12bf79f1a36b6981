export { recentByCreative } from './compared/recent-by-creative.ts';
export { earnersOfRange } from './earners-rows.ts';
export { ReportCache } from './report-cache.ts';
export { reportSections, type ReportSection } from './report-section.ts';
export { sumClicks, sumStore } from './report-rows.ts';
