export { registrationsOpen } from './settings.ts';
export { showApplicationForm } from './show-application-form.ts';
