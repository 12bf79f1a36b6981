import { ApiError, defineError } from '../../../kernel/declare/errors.ts';

export const notUndoable = defineError(
  'svc_api_import_not_undoable',
  409,
  'The import has already been undone, or money has moved since.',
);

export function refused(message: string): ApiError {
  return new ApiError(notUndoable, { message });
}
