export { applicationOrigins, DEVICE_DAYS } from './origins.ts';
export { registrationsOpen } from './settings.ts';
export { showApplicationForm } from './show-application-form.ts';
export type { Other as RiskOther } from './review/others-rows.ts';
export { about, riskChecks, type RiskCheck } from './review/risk-notes.ts';
