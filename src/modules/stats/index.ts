export { shareHistories, type ShareHistory, type ShareSum } from './share-history.ts';
