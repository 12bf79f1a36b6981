export { noteFailedSignIn } from './note-refusals.ts';
