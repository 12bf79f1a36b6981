export {
  addHistory,
  findLatest,
  recordKey,
  removeHistory,
  type NewHistoryRow,
} from './history-store.ts';
export {
  addLinks,
  createImport,
  findImportedUsers,
  findImportToChange,
  findInterrupted,
  findLinkedUser,
  findLinksOf,
  listImports,
  markTakenBack,
  removeLinksOf,
  saveImportState,
  savePieces,
  sumAdded,
  type ImportLink,
  type NewImportLink,
} from './import-store.ts';
