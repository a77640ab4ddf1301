"""The invented law of the specimens: six families, each a base act and what happens to it.

Written for Legal Link. Nothing here is law, and nothing is taken from law.
"""

EEC = dict(community="EEC", union="EUROPEAN COMMUNITIES", treaty="Treaty establishing the European Economic Community",
           commission="THE COMMISSION OF THE EUROPEAN COMMUNITIES")
EC = dict(community="EC", union="EUROPEAN UNION", treaty="Treaty establishing the European Community",
          commission="THE COMMISSION OF THE EUROPEAN COMMUNITIES")
EU = dict(community="EU", union="EUROPEAN UNION", treaty="Treaty on the Functioning of the European Union", commission="THE EUROPEAN COMMISSION")

OJ_EC = "Official Journal of the European Communities"
OJ_EU = "Official Journal of the European Union"


def nth(day, journal, kind="Regulation"):
    return f"This {kind} shall enter into force on the {day} day following that of its publication in the {journal}."


FIGS = dict(
    EEC, flavour="txt_te",
    base=dict(
        kind="R", number=9001, year=1974, date="1974-03-18", published="1974-03-22",
        subject="on the marketing of dried figs",
        recitals=["growers and packers of dried figs need one set of rules on sizes, moisture and labels;",
                  "small packers should be given time to adapt their sorting tables;"],
        articles=[
            ("Scope", ["This Regulation applies to dried figs packed for sale within the Community.",
                       "It does not apply to figs sold by the grower at the farm gate in lots of less than 20 kilograms."]),
            ("Sizes", ["Dried figs shall be sorted into three sizes by the number of fruits in one kilogram.",
                       ("The sizes are:", ["large: not more than 55 fruits;", "medium: from 56 to 75 fruits;", "small: more than 75 fruits."])]),
            ("Moisture", ["The moisture of packed figs shall not exceed 24 %.",
                          "A packer who finds a higher moisture shall withdraw the lot within 30 days of the measurement."]),
            ("Labels", ["Every box shall show the size, the year of harvest and the name of the packer."]),
            ("Packing stations", ["Each packing station shall keep a register of lots for two years.",
                                  "The register shall be shown to the inspector on request."]),
            ("Duration", ["This Regulation shall apply until 31 December 1979."]),
        ],
        entry=["This Regulation shall enter into force on 1 April 1974.", "It shall apply from 1 September 1974."]),
    corrigendum=dict(part="3(2)", published="1974-06-14", **{
        "for": "shall withdraw the lot within 30 days of the measurement", "read": "shall withdraw the lot within 20 days of the measurement"}),
    supplement=dict(
        kind="R", number=9003, year=1975, by="Commission", date="1975-02-10", published="1975-02-12",
        subject="supplementing Regulation (EEC) No 9001/74 as regards the sampling of dried figs",
        recitals=["the moisture of a lot can only be judged from samples drawn in one way;"],
        articles=[
            ("Samples", ["The inspector shall draw one box in every hundred, and never fewer than three boxes.",
                         "From each box 500 grams shall be taken from the middle."]),
            ("Record", ["The result of each sample shall be written down with the hour and the temperature of the store."]),
        ],
        entry=["This Regulation shall enter into force on 1 March 1975."]),
    widening=dict(
        kind="R", number=9004, year=1976, date="1976-05-04", published="1976-05-08",
        subject="on the marketing of dried apricots",
        recitals=["dried apricots are packed in the same stations as dried figs and meet the same faults;"],
        articles=[
            ("Extension", ["Regulation (EEC) No 9001/74 shall also apply to dried apricots packed in boxes of not more than 5 kilograms."]),
            ("Stations", ["Packing stations for dried apricots shall register by 30 June 1976."]),
        ],
        entry=["This Regulation shall enter into force on 1 July 1976."]),
    change=dict(
        kind="R", number=9006, year=1980, by="Commission", date="1980-03-03", published="1980-03-05",
        subject="amending Regulation (EEC) No 9001/74 as regards the labels of dried figs",
        recitals=["buyers ask for the country of harvest on the label;"],
        articles=[
            ("Amendment", ["Article 4 of Regulation (EEC) No 9001/74 is replaced by the following: ‘Article 4 Every box shall show the size, the year and country of harvest and the name of the packer.’"]),
        ],
        entry=["This Regulation shall enter into force on 1 May 1980."]),
    prolongation=dict(
        kind="R", number=9005, year=1979, date="1979-11-26", published="1979-11-29",
        subject="extending the period of validity of Regulation (EEC) No 9001/74 on the marketing of dried figs",
        recitals=["new rules on dried fruit are not yet ready;"],
        articles=[
            ("Prolongation", ["The period of validity of Regulation (EEC) No 9001/74 is extended until 31 December 1984."]),
        ],
        entry=["This Regulation shall enter into force on 15 December 1979."]),
    repeal=dict(
        kind="R", number=9010, year=1983, date="1983-10-17", published="1983-10-21",
        subject="on the marketing of dried fruit",
        recitals=["figs, apricots and plums should be brought under one Regulation;", "registers of past lots keep their use for a while;"],
        articles=[
            ("Scope", ["This Regulation applies to dried figs, dried apricots and dried plums."]),
            ("Moisture", ["The moisture of packed fruit shall not exceed 22 %."]),
            ("Labels", ["Every box shall show the kind of fruit, its size and the country of harvest."]),
            ("Repeal", ["Regulation (EEC) No 9001/74 is repealed with effect from 1 July 1984. However, Article 5 shall continue to apply until 30 June 1985."]),
        ],
        entry=["This Regulation shall enter into force on 1 January 1984.", "It shall apply from 1 July 1984."]),
    spent=dict(
        kind="R", number=9020, year=1971, by="Commission", date="1971-07-05", published="1971-07-07",
        subject="on transitional aid for the storage of dried figs of the 1970 harvest",
        recitals=["the harvest of 1970 cannot be sold before the next one is packed;"],
        articles=[
            ("Aid", ["Packers shall receive aid of two units of account for each quintal stored until 30 November 1971."]),
            ("Claims", ["Claims shall be lodged with the authority of the Member State where the store lies."]),
        ],
        entry=["This Regulation shall enter into force on 8 July 1971."]),
    obsolete=dict(date="2014-09-25", number=9001, field="dried fruit"),
)

FERRIES = dict(
    EEC, flavour="txt_te",
    base=dict(
        kind="R", number=9101, year=1986, date="1986-11-10", published="1986-11-18",
        subject="laying down common rules for the carriage of bicycles on ferries",
        recitals=["travellers who cross with a bicycle meet a different rule in every harbour;"],
        articles=[
            ("Scope", ["This Regulation applies to ferries that carry more than fifty passengers between two Member States."]),
            ("Places", ["Each ferry shall keep at least one bicycle place for every twenty passengers.",
                        "A place shall be at least 190 centimetres long and 60 centimetres wide."]),
            ("Fares", ["The fare for a bicycle shall not exceed one fifth of the fare for an adult.",
                       "No fare shall be asked for a bicycle of a child under seven years."]),
            ("Refusal", ["The master may refuse a bicycle only where the places are taken or the sea is rough.",
                         "A traveller who is refused shall be carried on the next crossing within 12 hours."]),
            ("Complaints", ["Complaints shall be answered within one month."]),
            ("Duration", ["This Regulation shall apply until 31 December 1991."]),
        ],
        entry=["This Regulation shall enter into force on 1 January 1987.", "It shall apply from 1 April 1987."]),
    corrigendum=dict(part="4(2)", published="1987-02-07", **{
        "for": "shall be carried on the next crossing within 12 hours", "read": "shall be carried on the next crossing within 24 hours"}),
    supplement=dict(
        kind="R", number=9103, year=1987, by="Commission", date="1987-06-15", published="1987-06-19",
        subject="supplementing Regulation (EEC) No 9101/86 with regard to the marking of bicycle places on ferries",
        recitals=["places that are not marked are used for luggage;"],
        articles=[
            ("Marks", ["Each place shall be marked by a yellow line and a number.", "The number shall be readable from five metres."]),
            ("Plans", ["A plan of the places shall hang at each gangway."]),
        ],
        entry=["This Regulation shall enter into force on 1 August 1987."]),
    widening=dict(
        kind="R", number=9104, year=1988, date="1988-09-19", published="1988-09-23",
        subject="on the carriage of bicycles across lakes and estuaries",
        recitals=["crossings of lakes and estuaries serve the same travellers;"],
        articles=[
            ("Extension", ["Articles 2 and 3 of Regulation (EEC) No 9101/86 shall also apply to ferries that cross a lake or an estuary within one Member State."]),
            ("Small ferries", ["Ferries of less than fifty passengers may keep their places on deck."]),
        ],
        entry=["This Regulation shall enter into force on 1 January 1989."]),
    change=dict(
        kind="R", number=9106, year=1990, by="Commission", date="1990-02-12", published="1990-02-16",
        subject="amending Regulation (EEC) No 9101/86 as regards complaints",
        recitals=["one month has proved too short in summer;"],
        articles=[
            ("Amendment", ["Article 5 of Regulation (EEC) No 9101/86 is replaced by the following: ‘Article 5 Complaints shall be answered within two months.’"]),
        ],
        entry=["This Regulation shall enter into force on 1 March 1990."]),
    prolongation=dict(
        kind="R", number=9105, year=1991, date="1991-12-02", published="1991-12-06",
        subject="prolonging Regulation (EEC) No 9101/86 laying down common rules for the carriage of bicycles on ferries",
        recitals=["the rules have worked well and a general act on sea travel is being prepared;"],
        articles=[
            ("Prolongation", ["In Article 6 of Regulation (EEC) No 9101/86, ‘This Regulation shall apply until 31 December 1991’ is replaced by ‘This Regulation shall apply until 31 December 1996’."]),
        ],
        entry=["This Regulation shall enter into force on 10 December 1991."]),
    repeal=dict(
        kind="R", number=9110, year=1994, date="1994-06-20", published="1994-06-28",
        subject="on the rights of passengers who travel by ferry with luggage or bicycles", community="EC",
        recitals=["luggage and bicycles should follow one rule;"],
        articles=[
            ("Scope", ["This Regulation applies to all ferries between two Member States."]),
            ("Places", ["Each ferry shall keep one place for every fifteen passengers."]),
            ("Repeal", ["Regulation (EEC) No 9101/86 is repealed with effect from 1 January 1996, with the exception of Article 3, which is repealed with effect from 1 July 1996."]),
        ],
        entry=["This Regulation shall enter into force on 1 August 1994."]),
    spent=dict(
        kind="R", number=9120, year=1981, by="Commission", date="1981-04-06", published="1981-04-09",
        subject="on a survey of harbours used by ferries in the summer of 1981",
        recitals=["the number of crossings must be known before common rules are made;"],
        articles=[
            ("Survey", ["Each Member State shall count the crossings of June, July and August 1981."]),
            ("Report", ["The counts shall be sent to the Commission by 30 November 1981."]),
        ],
        entry=["This Regulation shall enter into force on 15 April 1981."]),
    obsolete=dict(date="2009-02-11", number=9101, field="passenger ferries"),
)

HONEY = dict(
    EC, flavour="plain",
    base=dict(
        kind="R", number=9201, year=1996, date="1996-05-20", published="1996-05-24",
        subject="on a common register of beekeepers",
        recitals=["diseases of bees spread across frontiers and can only be followed where hives are known;"],
        articles=[
            ("Register", ["Each Member State shall keep a register of beekeepers with more than ten hives.",
                          "The register shall give the place of the hives and the number of colonies."]),
            ("Notice of disease", ["A beekeeper who finds foulbrood shall tell the authority within 48 hours.",
                                   "Hives within three kilometres shall be inspected within 14 days."]),
            ("Movement", ["Hives shall not be moved out of an inspected area for 30 days."]),
            ("Compensation", ["Half of the value of destroyed colonies shall be paid to the beekeeper."]),
            ("Reports", ["Each Member State shall report every year by 31 March."]),
            ("Duration", ["This Regulation shall apply until 30 June 2001."]),
        ],
        entry=["This Regulation shall enter into force on 1 July 1996.", "It shall apply from 1 January 1997."]),
    corrigendum=dict(part="2(1)", published="1996-09-12", **{
        "for": "shall tell the authority within 48 hours", "read": "shall tell the authority within 24 hours"}),
    supplement=dict(
        kind="R", number=9203, year=1997, by="Commission", date="1997-03-10", published="1997-03-14",
        subject="supplementing Regulation (EC) No 9201/96 as regards the numbering of hives",
        recitals=["a register is of use only where each hive bears a number;"],
        articles=[
            ("Numbers", ["Each hive shall bear the number of its beekeeper and a number of its own.", "Numbers shall be burnt or painted, at least four centimetres high."]),
            ("Lost numbers", ["A number that cannot be read shall be renewed within one week."]),
        ],
        entry=["This Regulation shall enter into force on 1 April 1997."]),
    widening=dict(
        kind="R", number=9204, year=1998, date="1998-10-05", published="1998-10-09",
        subject="on bumblebees reared for greenhouses", community="EC",
        recitals=["bumblebees reared for greenhouses carry the same diseases;"],
        articles=[
            ("Extension", ["Regulation (EC) No 9201/96 shall also apply to keepers of bumblebees reared for greenhouses from 1 February 1999."]),
            ("Boxes", ["Each box of bumblebees counts as one hive."]),
        ],
        entry=["This Regulation shall enter into force on 1 December 1998."]),
    change=dict(
        kind="R", number=9206, year=2000, by="Commission", date="2000-02-14", published="2000-02-18",
        subject="amending Regulation (EC) No 9201/96 as regards compensation",
        recitals=["half of the value has proved too little to make keepers report;"],
        articles=[
            ("Amendment", ["Article 4 of Regulation (EC) No 9201/96 is replaced by the following: ‘Article 4 Three quarters of the value of destroyed colonies shall be paid to the beekeeper.’"]),
        ],
        entry=["This Regulation shall enter into force on 1 March 2000."]),
    prolongation=dict(
        kind="R", number=9205, year=2001, date="2001-05-28", published="2001-06-01",
        subject="extending the validity of Regulation (EC) No 9201/96 on a common register of beekeepers",
        recitals=["a register that lapses loses its worth;"],
        articles=[
            ("Prolongation", ["The validity of Regulation (EC) No 9201/96 is extended until 30 June 2006."]),
        ],
        entry=["This Regulation shall enter into force on 20 June 2001."]),
    repeal=dict(
        kind="R", number=9210, year=2004, date="2004-11-15", published="2004-11-19",
        subject="on the health of bees",
        recitals=["the register should become part of a wider act on the health of bees;"],
        articles=[
            ("Scope", ["This Regulation applies to honey bees and bumblebees."]),
            ("Laboratories", ["Each Member State shall name one laboratory for the diseases of bees."]),
            ("Repeal", ["Regulation (EC) No 9201/96 is repealed. Applications for compensation lodged before the date of application of this Regulation shall continue to be dealt with under Regulation (EC) No 9201/96."]),
        ],
        entry=["This Regulation shall enter into force on 1 December 2004.", "It shall apply from 1 January 2006."]),
    spent=dict(
        kind="R", number=9220, year=1989, by="Commission", date="1989-03-06", published="1989-03-10", community="EEC",
        subject="on sugar for the feeding of bees in the winter of 1988 to 1989",
        recitals=["a wet summer has left the hives without stores;"],
        articles=[
            ("Sugar", ["Each colony may be given eight kilograms of sugar at the intervention price."]),
            ("Proof", ["The keeper shall prove the number of colonies by a certificate of the commune."]),
        ],
        entry=["This Regulation shall enter into force on 11 March 1989."]),
    obsolete=dict(date="2012-05-30", number=9201, field="beekeeping"),
)

LAMPS = dict(
    EC, flavour="oj-eli",
    base=dict(
        kind="R", number=9301, year=2003, date="2003-06-16", published="2003-06-25",
        subject="on the labelling of bicycle lamps",
        recitals=["Riders cannot tell from the box how long a lamp burns.", "One label makes lamps comparable in all Member States."],
        articles=[
            ("Scope", ["This Regulation applies to lamps sold for use on bicycles."]),
            ("Label", [("Each box shall bear a label that states:", ["the hours of light at full power;", "the distance lit, in metres;", "the kind of battery."]),
                       "The label shall be at least four centimetres wide."]),
            ("Measurement", ["The hours of light shall be measured at 15 degrees Celsius.",
                             "The maker shall keep the record of the measurement for 10 years."]),
            ("Dealers", ["A dealer shall not offer a lamp without a label."]),
            ("Market surveillance", ["The authority may buy lamps and measure them at the cost of the maker."]),
            ("Duration", ["This Regulation shall apply until 31 December 2008."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 January 2004."]),
    corrigendum=dict(part="3(2)", published="2003-09-18", **{
        "for": "shall keep the record of the measurement for 10 years", "read": "shall keep the record of the measurement for 5 years"}),
    supplement=dict(
        kind="R", number=9303, year=2004, by="Commission", date="2004-03-08", published="2004-03-12",
        subject="supplementing Regulation (EC) No 9301/2003 as regards the form of the label of bicycle lamps",
        recitals=["The form of the label is a technical matter."],
        articles=[
            ("Form", ["The label shall be white with black letters.", "The hours of light shall stand in the upper half."]),
            ("Languages", ["The label shall use signs and no words."]),
        ],
        entry=[nth("third", OJ_EU), "It shall apply from 1 July 2004."]),
    widening=dict(
        kind="R", number=9304, year=2005, date="2005-09-12", published="2005-09-16",
        subject="on lamps worn on the head",
        recitals=["Lamps worn on the head are sold beside bicycle lamps and raise the same question."],
        articles=[
            ("Extension", ["Regulation (EC) No 9301/2003 shall also apply to lamps worn on the head by walkers and climbers."]),
            ("Weight", ["The label of such lamps shall state the weight in grams."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 March 2006."]),
    change=dict(
        kind="R", number=9306, year=2007, by="Commission", date="2007-04-16", published="2007-04-20",
        subject="amending Regulation (EC) No 9301/2003 as regards dealers",
        recitals=["Lamps sold by post reach the buyer without a box."],
        articles=[
            ("Amendment", ["Article 4 of Regulation (EC) No 9301/2003 is replaced by the following: ‘Article 4 A dealer, also one who sells by post, shall not offer a lamp without a label.’"]),
        ],
        entry=[nth("third", OJ_EU)]),
    prolongation=dict(
        kind="R", number=9305, year=2008, date="2008-12-01", published="2008-12-05",
        subject="extending the period of validity of Regulation (EC) No 9301/2003 on the labelling of bicycle lamps",
        recitals=["The review of the labels is not finished."],
        articles=[
            ("Prolongation", ["The period of validity of Regulation (EC) No 9301/2003 is extended until 31 December 2013."]),
        ],
        entry=[nth("third", OJ_EU)]),
    repeal=dict(
        kind="R", number=9310, year=2010, date="2010-11-22", published="2010-11-30", community="EU",
        subject="on the labelling of portable lamps",
        recitals=["All portable lamps should bear one label."],
        articles=[
            ("Scope", ["This Regulation applies to portable lamps of every kind."]),
            ("Label", ["Each box shall bear a label with a scale from A to E."]),
            ("Repeal", ["Regulation (EC) No 9301/2003 is repealed with effect from 1 September 2012."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 September 2012."]),
    spent=dict(
        kind="R", number=9320, year=1999, by="Commission", date="1999-10-11", published="1999-10-15",
        subject="on a trial of labels for bicycle lamps in the winter of 1999 to 2000", community="EC",
        recitals=["Labels should be tried before they are made binding."],
        articles=[
            ("Trial", ["Makers who take part in the trial shall label their lamps from 1 November 1999 to 31 March 2000."]),
            ("Results", ["The results shall be sent to the Commission by 30 June 2000."]),
        ],
        entry=[nth("third", OJ_EC)]),
    obsolete=dict(date="2016-03-17", number=9301, field="portable lamps"),
)

CANALS = dict(
    EU, flavour="oj-eli",
    base=dict(
        kind="R", number=9401, year=2011, date="2011-02-14", published="2011-02-22",
        subject="on the opening hours of locks on canals of European interest",
        recitals=["Barges lose days where the locks of neighbouring States keep different hours."],
        articles=[
            ("Scope", ["This Regulation applies to the locks of canals that join waterways of two or more Member States."]),
            ("Hours", ["Locks shall be open from 6.00 to 22.00 on every day from 1 March to 31 October.",
                       "In the other months they shall be open from 8.00 to 18.00."]),
            ("Closures", ["A closure for repairs shall be announced 60 days before it begins.",
                          "No lock shall be closed for more than 21 days in one year."]),
            ("Priority", [("The keeper shall let pass first:", ["vessels in distress;", "passenger vessels that run to a timetable;", "vessels with live animals."])]),
            ("Log", ["The keeper shall keep a log of passages and send it to the authority each month."]),
            ("Duration", ["This Regulation shall apply until 31 December 2015."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 January 2012."]),
    corrigendum=dict(part="3(1)", published="2011-05-19", **{
        "for": "shall be announced 60 days before it begins", "read": "shall be announced 90 days before it begins"}),
    supplement=dict(
        kind="R", number=9403, year=2012, by="Commission", date="2012-06-11", published="2012-06-15",
        subject="supplementing Regulation (EU) No 9401/2011 with regard to the form of the log kept at locks",
        recitals=["Logs can be compared only where they have one form."],
        articles=[
            ("Form", ["The log shall give the name, length and draught of each vessel.", "It shall be kept in electronic form."]),
            ("Correction of entries", ["An entry may be corrected within seven days, and the first entry shall stay readable."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 January 2013."]),
    widening=dict(
        kind="R", number=9404, year=2013, date="2013-03-18", published="2013-03-22",
        subject="on movable bridges over canals of European interest",
        recitals=["A bridge that does not open stops a barge as surely as a lock."],
        articles=[
            ("Extension", ["Articles 2 and 3 of Regulation (EU) No 9401/2011 shall also apply to movable bridges over the canals concerned."]),
            ("Road traffic", ["A bridge shall not stay open for more than 15 minutes while road traffic waits."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 October 2013."]),
    change=dict(
        kind="R", number=9406, year=2014, by="Commission", date="2014-07-07", published="2014-07-11",
        subject="amending Regulation (EU) No 9401/2011 as regards the log",
        recitals=["A monthly log burdens small locks."],
        articles=[
            ("Amendment", ["Article 5 of Regulation (EU) No 9401/2011 is replaced by the following: ‘Article 5 The keeper shall keep a log of passages and send it to the authority every three months.’"]),
        ],
        entry=[nth("third", OJ_EU)]),
    prolongation=dict(
        kind="R", number=9405, year=2015, date="2015-11-23", published="2015-11-27",
        subject="extending the validity of Regulation (EU) No 9401/2011 on the opening hours of locks on canals of European interest",
        recitals=["The study on night passages will be ready only in 2018."],
        articles=[
            ("Prolongation", ["The validity of Regulation (EU) No 9401/2011 is extended until 31 December 2020."]),
        ],
        entry=[nth("third", OJ_EU)]),
    repeal=dict(
        kind="R", number=9410, year=2018, date="2018-05-14", published="2018-05-24",
        subject="on the operation of locks and movable bridges",
        recitals=["Locks and bridges should follow one act."],
        articles=[
            ("Scope", ["This Regulation applies to locks and movable bridges on canals and rivers."]),
            ("Hours", ["They shall be open on every day from 5.00 to 23.00."]),
            ("Repeal", ["Regulation (EU) No 9401/2011 is repealed with effect from 1 January 2020."]),
        ],
        entry=[nth("twentieth", OJ_EU)]),
    spent=dict(
        kind="R", number=9420, year=2006, by="Commission", date="2006-01-16", published="2006-01-20", community="EC",
        subject="on the counting of barges in the year 2006",
        recitals=["The number of barges must be known before hours are fixed."],
        articles=[
            ("Counting", ["Each Member State shall count the barges that pass its locks in 2006."]),
            ("Publication", ["The counts shall be published by 30 June 2007."]),
        ],
        entry=[nth("third", OJ_EU)]),
    obsolete=dict(date="2017-10-19", number=9401, field="inland waterways"),
)

SEEDS = dict(
    EU, flavour="oj-eli",
    base=dict(
        kind="R", number=9501, year=2016, date="2016-04-11", published="2016-04-19",
        subject="on the exchange of seeds of old vegetable varieties",
        recitals=["Old varieties live on where gardeners exchange seeds.", "Seeds that carry disease should not be exchanged."],
        articles=[
            ("Scope", ["This Regulation applies to seeds of vegetable varieties that were grown before 1950."]),
            ("Exchange", ["Gardeners may exchange up to 200 grams of seed of one variety in one year without registration.",
                          "Seed libraries shall register with the authority of the Member State where they are established."]),
            ("Health", ["A seed library shall test one lot in ten for disease.",
                        "It shall destroy a diseased lot within 7 days of the test."]),
            ("Names", ["Seeds shall be exchanged under the name by which the variety is known."]),
            ("List", ["The Commission shall keep a list of varieties."]),
            ("Duration", ["This Regulation shall apply until 31 December 2020."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 January 2017."]),
    corrigendum=dict(part="3(2)", published="2016-08-25", **{
        "for": "shall destroy a diseased lot within 7 days of the test", "read": "shall destroy a diseased lot within 14 days of the test"}),
    supplement=dict(
        kind="R", number=9503, year=2017, by="Commission", date="2017-02-13", published="2017-02-17",
        subject="supplementing Regulation (EU) 2016/9501 with regard to tests of seeds for disease",
        recitals=["Tests should be alike in all seed libraries."],
        articles=[
            ("Method", ["Fifty seeds of each lot shall be laid on moist paper for ten days.", "A lot is diseased where more than two of them show mould."]),
            ("Records", ["The library shall keep the record of each test for three years."]),
        ],
        entry=[nth("twentieth", OJ_EU)]),
    widening=dict(
        kind="R", number=9504, year=2018, date="2018-03-12", published="2018-03-20",
        subject="on the exchange of cuttings of old fruit varieties",
        recitals=["Fruit is passed on by cuttings as vegetables are by seed."],
        articles=[
            ("Extension", ["Articles 3 and 4 of Regulation (EU) 2016/9501 shall also apply to cuttings of fruit varieties that were grown before 1950."]),
            ("Number", ["Not more than twenty cuttings of one variety shall be exchanged in one year."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 November 2018."]),
    change=dict(
        kind="R", number=9506, year=2019, by="Commission", date="2019-06-17", published="2019-06-21",
        subject="amending Regulation (EU) 2016/9501 as regards the list of varieties",
        recitals=["The list should be open to proposals."],
        articles=[
            ("Amendment", ["Article 5 of Regulation (EU) 2016/9501 is replaced by the following: ‘Article 5 The Commission shall keep a list of varieties, to which any gardener may propose an entry.’"]),
        ],
        entry=[nth("twentieth", OJ_EU)]),
    prolongation=dict(
        kind="R", number=9505, year=2020, date="2020-11-09", published="2020-11-13",
        subject="extending the validity of Regulation (EU) 2016/9501 on the exchange of seeds of old vegetable varieties",
        recitals=["The evaluation of the rules is still under way."],
        articles=[
            ("Prolongation", ["The validity of Regulation (EU) 2016/9501 is extended until 31 December 2025."]),
        ],
        entry=[nth("third", OJ_EU)]),
    repeal=dict(
        kind="R", number=9510, year=2022, date="2022-09-19", published="2022-09-27",
        subject="on the exchange of seeds and cuttings among gardeners",
        recitals=["Seeds and cuttings should be under one act."],
        articles=[
            ("Scope", ["This Regulation applies to seeds and cuttings that gardeners exchange without payment."]),
            ("Health", ["Every lot that is exchanged in public shall be tested for disease."]),
            ("Repeal", ["Regulation (EU) 2016/9501 is repealed. It shall continue to apply to exchanges agreed before the date of application of this Regulation."]),
        ],
        entry=[nth("twentieth", OJ_EU), "It shall apply from 1 April 2023."]),
    spent=dict(
        kind="R", number=9520, year=2008, by="Commission", date="2008-09-15", published="2008-09-19", community="EC",
        subject="on a prize for gardens with old varieties in the year 2009",
        recitals=["A prize makes gardens known that keep old varieties."],
        articles=[
            ("Prize", ["In 2009 ten gardens shall receive a prize of EUR 2000 each."]),
            ("Jury", ["The jury shall have seven members and meet once."]),
        ],
        entry=[nth("third", OJ_EU)]),
    obsolete=dict(date="2019-12-05", number=9501, field="seeds of old varieties"),
)

FAMILIES = [FIGS, FERRIES, HONEY, LAMPS, CANALS, SEEDS]
