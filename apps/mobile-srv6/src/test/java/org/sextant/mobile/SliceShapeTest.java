// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.mobile.Mobile.between;
import static org.sextant.mobile.Mobile.slice;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.ProblemException;

class SliceShapeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",'snssai':{'sst':2,'sd':'00000a'},'dnns':['internet','ims.mnc001']",
                ",'uplink':{'hops':['l2',{'link':'l2-l3'}]},'downlink':{'hops':[{'node':'p7','loose':true}]}",
                ",'match':[{'teid':'0x1000-0x1fff','qfi':[5,9]},{'ue':'10.60.0.0/16','gnb':'192.0.2.16/28','dscp':46}]",
                ",'default':true,'container':'nonzero','unrepresentable':'discard','sequenceNumbers':'drop','mode':'transport'",
            })
    void what_is_written_is_read_back(String more) {
        Slice slice = slice(between(more));
        assertThat(SliceShape.SLICE.decode(SliceShape.SLICE.write(slice))).isEqualTo(slice);
    }

    @Test
    void a_mode_follows_from_hops() {
        assertThat(slice(between("")).mode()).isEqualTo(Mode.TRADITIONAL);
        assertThat(slice(between(",'uplink':{'hops':['l2']}")).mode()).isEqualTo(Mode.ENHANCED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                ",'snssai':{'sst':256}              | /snssai/sst        | not an integer from 0 to 255",
                ",'snssai':{'sst':1,'sd':'1234567'} | /snssai/sd         | 24 bits",
                ",'match':[{'qfi':64}]              | /match/0/qfi       | not an integer from 0 to 63",
                ",'match':[{'qfi':[5,64]}]          | /match/0/qfi/1     | is not a QFI",
                ",'match':[{'teid':4294967296}]     | /match/0/teid      | not a range within 1 to 4294967295",
                ",'match':[{'teid':0}]              | /match/0/teid      | not a range",
                ",'match':[{'teid':'0x20-0x10'}]    | /match/0/teid      | not a range",
                ",'match':[{'teid':'twelve'}]       | /match/0/teid      | is not a TEID",
                ",'match':[{'dscp':'EG'}]           | /match/0/dscp      | is not a DSCP",
                ",'match':[{'gnb':'2001:db8::1'}]   | /match/0/gnb       | have ipv4 addresses",
                ",'match':[{}]                      | /match/0           | takes everything",
                ",'match':[{'tied':5}]              | /match/0/tied      | unknown field",
                ",'mode':'traditional','uplink':{'hops':['l2']} | /mode  | one SID and no hops",
                ",'mode':'fast'                     | /mode              | none of traditional",
                ",'downlink':'asymmetric'           | /downlink          | none of symmetric",
                ",'uplink':{}                       | /uplink/hops       | is missing",
                ",'container':'sometimes'           | /container         | none of never",
                ",'hops':['l2']                     | /hops              | unknown field",
            })
    void what_is_wrong_is_named(String more, String field, String message) {
        assertThatThrownBy(() -> slice(between(more)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problems()).anySatisfy(problem -> {
                            assertThat(problem.field()).isEqualTo(field);
                            assertThat(problem.message() + problem.remedy()).contains(message);
                        }));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'192.0.2.0/24'    | 'ff02::/16'                 | /access/gnbs/0 | packets to it are not forwarded",
                "'192.0.2.0/24'    | '192.0.2.1','2001:db8::1'   | /access/gnbs   | are mixed",
                "'192.0.2.0/24'    | '2001:db8::/48'             | /core/upfs     | UPFs have ipv4 ones",
                "['192.0.2.0/24']  | []                          | /access/gnbs   | is empty",
                "'198.51.100.1'    | '198.51.100.0/24'           | /core/upfs/0   | 198.51.100.0/24",
                "'gateway': 'l3'   | 'gateway':'l3','anchor':'l3' | /core/anchor  | not both",
                "'name': 's'       | 'name': '1s'                | /name          | is not a name",
                "'name': 's',      | ' '                         | /name          | is missing",
            })
    void what_is_wrong_at_the_ends_is_named(String from, String to, String field, String message) {
        String text = between("").replace(from, to.equals("' '") ? "" : to);
        assertThatThrownBy(() -> slice(text))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problems()).anySatisfy(problem -> {
                            assertThat(problem.field()).isEqualTo(field);
                            assertThat(problem.message()).contains(message);
                        }));
    }
}
