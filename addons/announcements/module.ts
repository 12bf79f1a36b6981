import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { mailResults, notices, unsubscriptions } from '../../src/modules/mail/index.ts';
import { personalData, personErasures } from '../../src/modules/privacy/index.ts';
import { announcementMetrics } from './announcement-metrics.ts';
import { announcementCancelled, announcementStarted } from './announcements/announcement-events.ts';
import { announcementNotice } from './announcements/announcement-mail.ts';
import { wrongAnnouncementState } from './announcements/change-state.ts';
import { recordResult, recordUnsubscription } from './announcements/record-results.ts';
import { sendAnnouncements } from './announcements/send-announcements.ts';
import { addReadySeriesOperation } from './api/add-ready-series.ts';
import { cancelAnnouncement } from './api/cancel-announcement.ts';
import { changeAnnouncement } from './api/change-announcement.ts';
import { changeSeries } from './api/change-series.ts';
import { createAnnouncement } from './api/create-announcement.ts';
import { createSeries } from './api/create-series.ts';
import { deleteAnnouncement } from './api/delete-announcement.ts';
import { deleteSeries } from './api/delete-series.ts';
import { getAnnouncement } from './api/get-announcement.ts';
import { getSeries } from './api/get-series.ts';
import { listAnnouncements } from './api/list-announcements.ts';
import { listOwnAnnouncements } from './api/list-own-announcements.ts';
import { listReceivers } from './api/list-receivers.ts';
import { listSeriesMembers } from './api/list-series-members.ts';
import { listSeries } from './api/list-series.ts';
import { markAnnouncementsRead } from './api/mark-announcements-read.ts';
import { pauseAnnouncement } from './api/pause-announcement.ts';
import { previewAnnouncement } from './api/preview-announcement.ts';
import { previewSeries } from './api/preview-series.ts';
import { removeSeriesMember } from './api/remove-series-member.ts';
import { resumeAnnouncement } from './api/resume-announcement.ts';
import { receiversChanged, sendAnnouncement } from './api/send-announcement.ts';
import { testAnnouncement } from './api/test-announcement.ts';
import { announcementsOfPerson, eraseReceiver, leaveErased, seriesOfPerson } from './privacy.ts';
import { runSeries } from './series/run-series.ts';
import { wrongSeriesState } from './series/save-series.ts';
import { seriesEvents } from './series/series-events.ts';
import { tables } from './tables.ts';

export const announcementsModule = defineModule({
  name: 'announcements',
  summary: 'Announcements: news to affiliates, by email and in the portal',
  addon: true,
  operations: [
    listAnnouncements,
    createAnnouncement,
    previewAnnouncement,
    getAnnouncement,
    changeAnnouncement,
    deleteAnnouncement,
    listReceivers,
    testAnnouncement,
    sendAnnouncement,
    pauseAnnouncement,
    resumeAnnouncement,
    cancelAnnouncement,
    listOwnAnnouncements,
    listSeries,
    createSeries,
    addReadySeriesOperation,
    getSeries,
    changeSeries,
    deleteSeries,
    listSeriesMembers,
    removeSeriesMember,
    previewSeries,
    markAnnouncementsRead,
  ],
  events: [announcementStarted, announcementCancelled, ...seriesEvents],
  errors: [wrongAnnouncementState, receiversChanged, wrongSeriesState],
  jobs: [sendAnnouncements, runSeries],
  metrics: [announcementMetrics],
  migrations: [creating('announcements/0001-announcements', tables)],
  contributions: [
    contribute(notices, announcementNotice),
    contribute(mailResults, recordResult),
    contribute(unsubscriptions, recordUnsubscription),
    contribute(personalData, announcementsOfPerson),
    contribute(personErasures, eraseReceiver),
    contribute(personalData, seriesOfPerson),
    contribute(personErasures, leaveErased),
  ],
});
