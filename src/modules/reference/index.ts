export { openApiPublic } from './get-openapi.ts';
export { showReference } from './show-reference.ts';
