"""Six more invented measures, each with an act that suspends it, one that derogates from it and one that changes its words.

Written for Legal Link, for the relations of examples/new-relation. Nothing here is law, and nothing is taken from law.
"""

from families import OJ_EU, nth

FIGS = dict(
    measure=dict(
        kind="R", number=9030, year=1977, date="1977-02-14", published="1977-02-18",
        subject="on deposits for wooden fruit boxes",
        recitals=["wooden boxes are burnt after one journey although they would serve for ten;"],
        articles=[
            ("Deposit", ["A deposit of one unit of account shall be paid for each wooden box."]),
            ("Return", ["The seller shall take back an empty box within 15 days and pay the deposit to the bearer.",
                        "A broken box need not be taken back."]),
            ("Marks", ["Each box shall bear the mark of its first owner."]),
            ("Accounts", ["The seller shall keep an account of the deposits paid and returned."]),
        ],
        entry=["This Regulation shall enter into force on 1 April 1977."]),
    suspension=dict(
        kind="R", number=9031, year=1979, by="Commission", date="1979-04-09", published="1979-04-12",
        subject="on a pause in the deposits for wooden fruit boxes",
        recitals=["a want of timber has emptied the stores of boxes;"],
        articles=[
            ("Suspension", ["The application of Regulation (EEC) No 9030/77 is suspended from 1 June 1979 until 31 October 1979."]),
            ("Boxes already paid for", ["Deposits paid before that day shall be returned on demand."]),
        ],
        entry=["This Regulation shall enter into force on 1 May 1979."]),
    derogation=dict(
        kind="R", number=9032, year=1978, by="Commission", date="1978-05-22", published="1978-05-26",
        subject="on wooden fruit boxes used by hospitals",
        recitals=["hospitals return their boxes by their own carts;"],
        articles=[
            ("Derogation", ["Regulation (EEC) No 9030/77 shall not apply to boxes delivered to hospitals from 1 July 1978 until 31 December 1980."]),
            ("Register", ["Each hospital shall write down the number of boxes received and returned."]),
        ],
        entry=["This Regulation shall enter into force on 1 June 1978."]),
    rewording=dict(
        kind="R", number=9033, year=1981, by="Commission", date="1981-01-19", published="1981-01-23",
        subject="amending Regulation (EEC) No 9030/77 as regards the return of boxes",
        recitals=["sellers find two weeks too long a time;"],
        articles=[
            ("Amendment", ["In Article 2(1) of Regulation (EEC) No 9030/77, ‘an empty box within 15 days’ is replaced by ‘an empty box within 10 days’."]),
        ],
        entry=["This Regulation shall enter into force on 1 March 1981."]),
)

FERRIES = dict(
    measure=dict(
        kind="R", number=9130, year=1988, date="1988-03-07", published="1988-03-11",
        subject="on the display of sea charts on board ferries",
        recitals=["travellers wish to know where they are;"],
        articles=[
            ("Charts", ["Each ferry shall show a chart of its crossing in the largest saloon."]),
            ("Size", ["The chart shall be at least 60 centimetres wide.",
                      "It shall be lit at night."]),
            ("Position", ["The position of the ferry shall be marked on the chart every 20 minutes."]),
            ("Languages", ["The legend shall be written in two official languages."]),
        ],
        entry=["This Regulation shall enter into force on 1 June 1988."]),
    suspension=dict(
        kind="R", number=9131, year=1990, by="Commission", date="1990-09-10", published="1990-09-14",
        subject="on the marking of positions on sea charts in winter",
        recitals=["crews are small in winter;"],
        articles=[
            ("Suspension", ["Article 3 of Regulation (EEC) No 9130/88 is suspended until 31 March 1991."]),
            ("Announcements", ["The master shall announce the hour of arrival instead."]),
        ],
        entry=["This Regulation shall enter into force on 1 November 1990."]),
    derogation=dict(
        kind="R", number=9132, year=1989, by="Commission", date="1989-06-05", published="1989-06-09",
        subject="on sea charts on board small ferries",
        recitals=["a small ferry has no saloon;"],
        articles=[
            ("Derogation", ["Articles 1 and 2 of Regulation (EEC) No 9130/88 shall not apply to ferries of less than eighty passengers."]),
            ("Leaflets", ["Such ferries shall keep a leaflet with the chart at the gangway."]),
        ],
        entry=["This Regulation shall enter into force on 1 September 1989."]),
    rewording=dict(
        kind="R", number=9133, year=1992, by="Commission", date="1992-02-17", published="1992-02-21",
        subject="amending Regulation (EEC) No 9130/88 as regards the size of charts",
        recitals=["older travellers cannot read small charts;"],
        articles=[
            ("Amendment", ["In Article 2(1) of Regulation (EEC) No 9130/88, ‘at least 60 centimetres wide’ is replaced by ‘at least 90 centimetres wide’."]),
            ("Charts in use", ["Charts hung before the entry into force of this Regulation may stay until they fade."]),
        ],
        entry=["This Regulation shall enter into force on 1 May 1992."]),
)

HONEY = dict(
    measure=dict(
        kind="R", number=9230, year=1998, date="1998-02-16", published="1998-02-20",
        subject="on the sale of honey in glass jars",
        recitals=["glass shows the colour of the honey and can be used again;"],
        articles=[
            ("Jars", ["Honey sold to consumers shall be filled into glass jars."]),
            ("Lids", ["The lid shall show the month of the harvest.",
                      "The jar shall be sealed within 6 months after the harvest."]),
            ("Taking back", ["Shops shall take back empty jars."]),
        ],
        entry=["This Regulation shall enter into force on 1 May 1998."]),
    suspension=dict(
        kind="R", number=9231, year=2001, by="Commission", date="2001-07-09", published="2001-07-13",
        subject="on the sale of honey during a want of glass",
        recitals=["the glass works of two Member States stand still;"],
        articles=[
            ("Suspension", ["The application of Regulation (EC) No 9230/98 is suspended with effect from 1 September 2001 until 28 February 2002."]),
            ("Other vessels", ["Meanwhile honey may be sold in any clean vessel."]),
        ],
        entry=["This Regulation shall enter into force on 1 August 2001."]),
    derogation=dict(
        kind="R", number=9232, year=1999, by="Commission", date="1999-03-15", published="1999-03-19",
        subject="on honey sold in the comb",
        recitals=["a comb does not pass through the neck of a jar;"],
        articles=[
            ("Derogation", ["By way of derogation from Article 1 of Regulation (EC) No 9230/98, that Article shall not apply to honey sold in the comb."]),
            ("Wrapping", ["Combs shall be wrapped in paper that does not tear."]),
        ],
        entry=["This Regulation shall enter into force on 1 June 1999."]),
    rewording=dict(
        kind="R", number=9233, year=2003, by="Commission", date="2003-10-06", published="2003-10-10",
        subject="amending Regulation (EC) No 9230/98 as regards the sealing of jars",
        recitals=["honey of the heath sets slowly;"],
        articles=[
            ("Amendment", ["With effect from 1 January 2004, in Article 2(2) of Regulation (EC) No 9230/98, ‘within 6 months after the harvest’ is replaced by ‘within 9 months after the harvest’."]),
        ],
        entry=["This Regulation shall enter into force on 1 November 2003."]),
)

LAMPS = dict(
    measure=dict(
        kind="R", number=9330, year=2004, date="2004-05-10", published="2004-05-18",
        subject="on the collection of spent batteries of lamps",
        recitals=["spent batteries foul the soil;"],
        articles=[
            ("Boxes", ["Each dealer in lamps shall keep a box for spent batteries."]),
            ("Emptying", ["The box shall be emptied at least every 8 weeks.",
                          "The dealer shall note the weight of the batteries."]),
            ("Costs", ["The maker of the lamps shall bear the costs of the collection."]),
            ("Reports", ["Each Member State shall publish the weights once a year."]),
        ],
        entry=["This Regulation shall enter into force on 1 July 2004."]),
    suspension=dict(
        kind="R", number=9331, year=2006, by="Commission", date="2006-11-13", published="2006-11-17",
        subject="on the costs of the collection of spent batteries in the year 2007",
        recitals=["the key by which the costs are shared has been challenged;"],
        articles=[
            ("Suspension", ["Article 3 of Regulation (EC) No 9330/2004 is suspended from 1 January 2007 until 31 December 2007."]),
            ("Advances", ["The Member State shall advance the costs."]),
        ],
        entry=["This Regulation shall enter into force on 1 December 2006."]),
    derogation=dict(
        kind="R", number=9332, year=2005, by="Commission", date="2005-04-18", published="2005-04-22",
        subject="on dealers who sell lamps by post",
        recitals=["who sells by post has no shop in which a box could stand;"],
        articles=[
            ("Derogation", ["Article 1 of Regulation (EC) No 9330/2004 shall not apply to dealers who sell by post only."]),
            ("Envelopes", ["Such dealers shall send an envelope for spent batteries with each lamp."]),
        ],
        entry=["This Regulation shall enter into force on 1 June 2005."]),
    rewording=dict(
        kind="R", number=9333, year=2008, by="Commission", date="2008-02-11", published="2008-02-15",
        subject="amending Regulation (EC) No 9330/2004 as regards the emptying of boxes",
        recitals=["boxes run over before Christmas;"],
        articles=[
            ("Amendment", ["In Article 2(1) of Regulation (EC) No 9330/2004, ‘at least every 8 weeks’ is replaced by ‘at least every 5 weeks’."]),
        ],
        entry=["This Regulation shall enter into force on 1 April 2008."]),
)

CANALS = dict(
    measure=dict(
        kind="R", number=9430, year=2012, date="2012-04-16", published="2012-04-24",
        subject="on the lighting of towpaths along canals of European interest",
        recitals=["walkers fall into unlit canals;"],
        articles=[
            ("Lamps", ["Towpaths shall be lit from dusk to midnight."]),
            ("Distance", ["Lamps shall stand not more than 80 metres apart.",
                          "A lamp that fails shall be replaced within 14 days."]),
            ("Bats", ["Lamps shall be shaded towards the water."]),
        ],
        entry=[nth("twentieth", OJ_EU)]),
    suspension=dict(
        kind="R", number=9431, year=2014, by="Commission", date="2014-10-20", published="2014-10-24",
        subject="on the lighting of towpaths in the winter of 2014 to 2015",
        recitals=["power is scarce this winter;"],
        articles=[
            ("Suspension", ["The application of Regulation (EU) No 9430/2012 is suspended from 1 December 2014 until 31 March 2015."]),
            ("Notices", ["Notices that warn walkers shall be put up at each bridge."]),
        ],
        entry=["This Regulation shall enter into force on 10 November 2014."]),
    derogation=dict(
        kind="R", number=9432, year=2013, by="Commission", date="2013-02-18", published="2013-02-22",
        subject="on towpaths that lie in forests",
        recitals=["deer shy at lamps;"],
        articles=[
            ("Derogation", ["Regulation (EU) No 9430/2012 shall not apply to towpaths that lie in a forest."]),
            ("Rails", ["A rail shall be set between such a towpath and the water."]),
        ],
        entry=["This Regulation shall enter into force on 1 April 2013."]),
    rewording=dict(
        kind="R", number=9433, year=2015, by="Commission", date="2015-06-15", published="2015-06-19",
        subject="amending Regulation (EU) No 9430/2012 as regards lamps that fail",
        recitals=["two weeks of darkness are too long;"],
        articles=[
            ("Amendment", ["In Article 2(2) of Regulation (EU) No 9430/2012, ‘shall be replaced within 14 days’ is replaced by ‘shall be replaced within 7 days’."]),
        ],
        entry=["This Regulation shall enter into force on 1 August 2015."]),
)

SEEDS = dict(
    measure=dict(
        kind="R", number=9530, year=2017, date="2017-03-13", published="2017-03-21",
        subject="on fairs at which gardeners exchange seeds",
        recitals=["seeds travel best from hand to hand;"],
        articles=[
            ("Fairs", ["Whoever holds a fair shall tell the municipality 30 days before its first day."]),
            ("Stalls", ["Each stall shall show the names of the varieties.",
                        "A visitor may take not more than 12 bags of seeds."]),
            ("Fees", ["No fee shall be asked of visitors under sixteen years."]),
            ("Lists", ["The list of stalls shall be kept for two years."]),
        ],
        entry=["This Regulation shall enter into force on 1 June 2017."]),
    suspension=dict(
        kind="R", number=9531, year=2019, by="Commission", date="2019-01-14", published="2019-01-18",
        subject="on fees at seed fairs in the spring of 2019",
        recitals=["the fairs of last year made a loss;"],
        articles=[
            ("Suspension", ["Article 3 of Regulation (EU) 2017/9530 is suspended from 1 March 2019 until 30 June 2019."]),
            ("Accounts", ["Whoever holds a fair shall publish what the fees have earned."]),
        ],
        entry=["This Regulation shall enter into force on 1 February 2019."]),
    derogation=dict(
        kind="R", number=9532, year=2018, by="Commission", date="2018-02-12", published="2018-02-16",
        subject="on seed fairs held by schools",
        recitals=["schools hold small fairs at short notice;"],
        articles=[
            ("Derogation", ["Article 1 of Regulation (EU) 2017/9530 shall not apply to fairs held by a school until 31 December 2020."]),
            ("Supervision", ["A teacher shall be present."]),
        ],
        entry=["This Regulation shall enter into force on 1 March 2018."]),
    rewording=dict(
        kind="R", number=9533, year=2020, by="Commission", date="2020-09-14", published="2020-09-18",
        subject="amending Regulation (EU) 2017/9530 as regards the bags of seeds that a visitor may take",
        recitals=["seeds of old varieties have become plentiful;"],
        articles=[
            ("Amendment", ["In Article 2(2) of Regulation (EU) 2017/9530, ‘not more than 12 bags of seeds’ is replaced by ‘not more than 20 bags of seeds’."]),
        ],
        entry=["This Regulation shall enter into force on 1 November 2020."]),
)

# One for each of the families, in their order.
MEASURES = [FIGS, FERRIES, HONEY, LAMPS, CANALS, SEEDS]
