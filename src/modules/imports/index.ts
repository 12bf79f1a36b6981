export { addHistory, findLatest, recordKey, type NewHistoryRow } from './history-rows.ts';
export {
  addLinks,
  countOnImport,
  createImport,
  findImportToChange,
  findInterrupted,
  findLinkedUser,
  listImports,
  saveImportState,
  savePieces,
  sumAdded,
  type NewImportLink,
} from './import-rows.ts';
export { undoImport, type UndoResult } from './undo/undo-import.ts';
