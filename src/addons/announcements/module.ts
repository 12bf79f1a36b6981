import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { mailResults, notices, unsubscriptions } from '../../modules/mail/index.ts';
import { personalData, personErasures } from '../../modules/privacy/index.ts';
import { announcementCancelled, announcementStarted } from './announcements/announcement-events.ts';
import { announcementNotice } from './announcements/announcement-mail.ts';
import { wrongAnnouncementState } from './announcements/change-state.ts';
import { recordResult, recordUnsubscription } from './announcements/record-results.ts';
import { sendAnnouncements } from './announcements/send-announcements.ts';
import { cancelAnnouncement } from './api/cancel-announcement.ts';
import { changeAnnouncement } from './api/change-announcement.ts';
import { createAnnouncement } from './api/create-announcement.ts';
import { deleteAnnouncement } from './api/delete-announcement.ts';
import { getAnnouncement } from './api/get-announcement.ts';
import { listAnnouncements } from './api/list-announcements.ts';
import { listOwnAnnouncements } from './api/list-own-announcements.ts';
import { listReceivers } from './api/list-receivers.ts';
import { pauseAnnouncement } from './api/pause-announcement.ts';
import { resumeAnnouncement } from './api/resume-announcement.ts';
import { receiversChanged, sendAnnouncement } from './api/send-announcement.ts';
import { migrations } from './migrations.ts';
import { announcementsOfPerson, eraseReceiver } from './privacy.ts';

export const announcementsModule = defineModule({
  name: 'announcements',
  summary: 'Announcements: news to affiliates, by mail and in the portal',
  addon: true,
  operations: [
    listAnnouncements,
    createAnnouncement,
    getAnnouncement,
    changeAnnouncement,
    deleteAnnouncement,
    listReceivers,
    sendAnnouncement,
    pauseAnnouncement,
    resumeAnnouncement,
    cancelAnnouncement,
    listOwnAnnouncements,
  ],
  events: [announcementStarted, announcementCancelled],
  errors: [wrongAnnouncementState, receiversChanged],
  jobs: [sendAnnouncements],
  migrations,
  contributions: [
    contribute(notices, announcementNotice),
    contribute(mailResults, recordResult),
    contribute(unsubscriptions, recordUnsubscription),
    contribute(personalData, announcementsOfPerson),
    contribute(personErasures, eraseReceiver),
  ],
});
